/** What a partition is: grains, windows, labels and slices; pure calendar arithmetic. */
@NullMarked
package dev.tidemark.workflows.partition;

import org.jspecify.annotations.NullMarked;
