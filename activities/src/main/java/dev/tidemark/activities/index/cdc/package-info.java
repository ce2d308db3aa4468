/** Functions over histories of changes, for tasks: what is left of one (D19 to D23). */
@NullMarked
package dev.tidemark.activities.index.cdc;

import org.jspecify.annotations.NullMarked;
