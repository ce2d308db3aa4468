/** Every pipeline in numbers, at a price that does not grow with what is done. */
@NullMarked
package dev.tidemark.activities.ledger.census;

import org.jspecify.annotations.NullMarked;
