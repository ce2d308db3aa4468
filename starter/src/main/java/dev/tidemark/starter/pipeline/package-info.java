/** Commands on whole pipelines: their registration, schedules, pause and state. */
@NullMarked
package dev.tidemark.starter.pipeline;

import org.jspecify.annotations.NullMarked;
