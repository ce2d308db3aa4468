package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When an object type is built.
 *
 * @param every how often it is looked for new transactions; a commit of a pipeline that it reads
 *     wakes it at once
 * @param persistEdits edits older than this are written to the index without any new transaction
 *     (D6); they are visible from the beginning (D7)
 * @param fullAbove a transaction that changes a larger share of its datasource's rows than this has
 *     all of them indexed anew (D27); from 0 to 1
 * @param syncWithin from the commit of a source to the moment at which queries see it: longer is
 *     alerted (D30); null alerts nothing
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Rhythm(
    Duration every, Duration persistEdits, double fullAbove, @Nullable Duration syncWithin) {
  public static final Rhythm DEFAULT =
      new Rhythm(Duration.ofMinutes(1), Duration.ofHours(6), 0.8, null);

  public Rhythm {
    positive("live.every", every);
    positive("live.persist-edits", persistEdits);
    if (!(fullAbove >= 0 && fullAbove <= 1)) {
      throw new IllegalArgumentException(
          "full-reindex-above must be from 0% to 100%: " + fullAbove);
    }
    if (syncWithin != null) {
      positive("sync-within", syncWithin);
    }
  }

  private static void positive(String key, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(key + " must be positive: " + duration);
    }
  }
}
