/** How records become JSON on their way through Temporal and into the ledger. */
@NullMarked
package dev.tidemark.workflows.payload;

import org.jspecify.annotations.NullMarked;
