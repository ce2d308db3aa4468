/** Accounts whose destination refuses them, and how long they are left alone (c-J9). */
@NullMarked
package dev.tidemark.activities.ledger.breaker;

import org.jspecify.annotations.NullMarked;
