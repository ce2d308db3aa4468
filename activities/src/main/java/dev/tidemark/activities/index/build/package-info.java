/** How the index of an object type is built: what is new, the stages, and who may write. */
@NullMarked
package dev.tidemark.activities.index.build;

import org.jspecify.annotations.NullMarked;
