/** A process that answers questions about objects: what it has open, and what of it is seen. */
@NullMarked
package dev.tidemark.activities.index.serve;

import org.jspecify.annotations.NullMarked;
