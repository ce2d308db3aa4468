@NullMarked
package dev.tidemark.activities.index.cdc;

import org.jspecify.annotations.NullMarked;
