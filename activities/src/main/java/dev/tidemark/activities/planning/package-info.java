/** Planning's view of the world: which slices there are, what is due and why. */
@NullMarked
package dev.tidemark.activities.planning;

import org.jspecify.annotations.NullMarked;
