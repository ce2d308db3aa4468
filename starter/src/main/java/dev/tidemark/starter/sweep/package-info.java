/** The commands that plan and run a sweep. */
@NullMarked
package dev.tidemark.starter.sweep;

import org.jspecify.annotations.NullMarked;
