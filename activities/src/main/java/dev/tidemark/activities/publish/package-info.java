/** Making an output visible at once or not at all. */
@NullMarked
package dev.tidemark.activities.publish;

import org.jspecify.annotations.NullMarked;
