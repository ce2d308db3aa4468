/** Whether what is closed is committed in time: from closure and commits alone, without a run. */
@NullMarked
package dev.tidemark.activities.ledger.freshness;

import org.jspecify.annotations.NullMarked;
