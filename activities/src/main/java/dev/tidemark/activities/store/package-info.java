/** Where outputs are kept. */
@NullMarked
package dev.tidemark.activities.store;

import org.jspecify.annotations.NullMarked;
