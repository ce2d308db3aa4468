/** What the ledger knows of object types: their indexes, builds, transactions and edits. */
@NullMarked
package dev.tidemark.activities.index.ledger;

import org.jspecify.annotations.NullMarked;
