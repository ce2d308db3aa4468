/** The task SPI, its kinds, and the run of one partition. */
@NullMarked
package dev.tidemark.activities.task;

import org.jspecify.annotations.NullMarked;
