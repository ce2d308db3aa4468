/** Who may work on what: the rows that are due, chosen and taken in one transaction. */
@NullMarked
package dev.tidemark.activities.ledger.claim;

import org.jspecify.annotations.NullMarked;
