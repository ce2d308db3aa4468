@NullMarked
package dev.tidemark.activities.index.source;

import org.jspecify.annotations.NullMarked;
