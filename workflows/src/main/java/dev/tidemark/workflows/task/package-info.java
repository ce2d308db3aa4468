/** The activity that runs one partition, and the records that cross Temporal for it. */
@NullMarked
package dev.tidemark.workflows.task;

import org.jspecify.annotations.NullMarked;
