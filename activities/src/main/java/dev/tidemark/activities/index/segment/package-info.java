/** Objects as documents of a Lucene index, and the files of such an index. */
@NullMarked
package dev.tidemark.activities.index.segment;

import org.jspecify.annotations.NullMarked;
