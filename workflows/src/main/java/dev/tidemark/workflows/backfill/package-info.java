/** Requests for a range of partitions. */
@NullMarked
package dev.tidemark.workflows.backfill;

import org.jspecify.annotations.NullMarked;
