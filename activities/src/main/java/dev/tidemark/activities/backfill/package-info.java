/** Requests: pinned lists of partitions and their progress. */
@NullMarked
package dev.tidemark.activities.backfill;

import org.jspecify.annotations.NullMarked;
