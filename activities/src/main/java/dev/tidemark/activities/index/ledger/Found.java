package dev.tidemark.activities.index.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that a datasource has now.
 *
 * @param committedAt null where the source does not say: then it is when it was first seen
 */
public record Found(
    String datasource, String identity, String version, @Nullable Instant committedAt) {}
