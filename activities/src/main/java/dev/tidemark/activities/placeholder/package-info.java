/** Placeholders in commands, globs and paths. */
@NullMarked
package dev.tidemark.activities.placeholder;

import org.jspecify.annotations.NullMarked;
