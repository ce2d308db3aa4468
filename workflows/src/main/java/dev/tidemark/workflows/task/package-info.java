/** The activity that runs one partition. */
@NullMarked
package dev.tidemark.workflows.task;

import org.jspecify.annotations.NullMarked;
