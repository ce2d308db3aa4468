/** What happens here that somebody may want to count. */
@NullMarked
package dev.tidemark.activities.metrics;

import org.jspecify.annotations.NullMarked;
