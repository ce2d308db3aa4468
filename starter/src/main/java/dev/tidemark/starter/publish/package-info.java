/** The commands about what was published. */
@NullMarked
package dev.tidemark.starter.publish;

import org.jspecify.annotations.NullMarked;
