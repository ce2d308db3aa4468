/** What workflows ask of the ledger, as activities, and the records that cross Temporal for it. */
@NullMarked
package dev.tidemark.workflows.ledger;

import org.jspecify.annotations.NullMarked;
