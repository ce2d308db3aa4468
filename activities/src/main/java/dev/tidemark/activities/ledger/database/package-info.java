/**
 * How the ledger in PostgreSQL is reached: statements, transactions, the schema, and what it
 * refuses.
 */
@NullMarked
package dev.tidemark.activities.ledger.database;

import org.jspecify.annotations.NullMarked;
