/** The commands that stay up, and those that prepare what they stand on. */
@NullMarked
package dev.tidemark.starter.process;

import org.jspecify.annotations.NullMarked;
