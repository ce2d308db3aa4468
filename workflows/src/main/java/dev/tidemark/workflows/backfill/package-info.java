/** Requests for a range of partitions, and the client that makes them. */
@NullMarked
package dev.tidemark.workflows.backfill;

import org.jspecify.annotations.NullMarked;
