/** Several processes on one Temporal server and one ledger, and what a kill leaves. */
@NullMarked
package dev.tidemark.worker.cluster;

import org.jspecify.annotations.NullMarked;
