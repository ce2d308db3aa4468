/** What is known of objects, as bytes: in files of the stages and in documents of an index. */
@NullMarked
package dev.tidemark.activities.index.codec;

import org.jspecify.annotations.NullMarked;
