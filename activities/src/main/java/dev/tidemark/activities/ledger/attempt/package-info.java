/** One run under a claim: begin with a token, lease, settle. */
@NullMarked
package dev.tidemark.activities.ledger.attempt;

import org.jspecify.annotations.NullMarked;
