/** The definition of a pipeline, as registered in the ledger; data only. */
@NullMarked
package dev.tidemark.workflows.pipeline;

import org.jspecify.annotations.NullMarked;
