/** The ledger as people and detectors see it: read, observed, and intervened in. */
@NullMarked
package dev.tidemark.activities.ledger;

import org.jspecify.annotations.NullMarked;
