/** Keys with what belongs to them, sorted beyond memory. */
@NullMarked
package dev.tidemark.activities.index.sort;

import org.jspecify.annotations.NullMarked;
