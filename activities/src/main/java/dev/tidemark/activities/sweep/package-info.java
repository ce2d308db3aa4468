/** What sweeps and requests ask of the ledger: the activities of the workflows. */
@NullMarked
package dev.tidemark.activities.sweep;

import org.jspecify.annotations.NullMarked;
