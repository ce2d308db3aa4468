@NullMarked
package dev.tidemark.activities.index.stage;

import org.jspecify.annotations.NullMarked;
