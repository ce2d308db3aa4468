/** The Java of the documentation, compiled. */
@NullMarked
package dev.tidemark.starter.documentation;

import org.jspecify.annotations.NullMarked;
