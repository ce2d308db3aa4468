/**
 * What is known of one object, and what of it people see: the one merge function of every path
 * (hudi 5934).
 */
@NullMarked
package dev.tidemark.activities.index.object;

import org.jspecify.annotations.NullMarked;
