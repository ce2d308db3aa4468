package dev.tidemark.activities.ledger.claim;

import org.jspecify.annotations.Nullable;

/**
 * A backfill that may have partitions run.
 *
 * @param newestFirst null for the pipeline's order
 * @param parallel null for the pipeline's
 * @param live how many of its partitions are under a live claim
 */
record ActiveBackfill(
    String id, @Nullable Boolean newestFirst, @Nullable Integer parallel, int live) {}
