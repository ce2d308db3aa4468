/** Attempts that are killed, or frozen and overtaken, at each step of the publish protocol. */
@NullMarked
package dev.tidemark.activities.crash;

import org.jspecify.annotations.NullMarked;
