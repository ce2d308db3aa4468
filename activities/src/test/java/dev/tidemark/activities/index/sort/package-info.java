@NullMarked
package dev.tidemark.activities.index.sort;

import org.jspecify.annotations.NullMarked;
