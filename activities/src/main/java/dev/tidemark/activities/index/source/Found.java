package dev.tidemark.activities.index.source;

import java.time.Instant;

/**
 * A transaction that a datasource has now.
 *
 * @param identity what of the datasource it is: a partition, a file, or all
 * @param version another one once it was written anew
 * @param committedAt by its source, as far as that is known
 */
public record Found(String identity, String version, Instant committedAt) {
  /** What has no parts. */
  static final String ALL = "all";
}
