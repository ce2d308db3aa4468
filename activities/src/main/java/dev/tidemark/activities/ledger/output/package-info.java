/** What the ledger knows of outputs, and what it takes in from them. */
@NullMarked
package dev.tidemark.activities.ledger.output;

import org.jspecify.annotations.NullMarked;
