/** The ledger's SQL: definitions, expected set, observations, claims, attempts, and reading it. */
@NullMarked
package dev.tidemark.activities.ledger;

import org.jspecify.annotations.NullMarked;
