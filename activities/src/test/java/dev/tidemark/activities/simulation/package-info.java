/** Random histories on the real ledger, beside a model of what it should do. */
@NullMarked
package dev.tidemark.activities.simulation;

import org.jspecify.annotations.NullMarked;
