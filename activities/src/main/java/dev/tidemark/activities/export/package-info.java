/** Exports: what a query returns for a partition, written into files with a pinned schema. */
@NullMarked
package dev.tidemark.activities.export;

import org.jspecify.annotations.NullMarked;
