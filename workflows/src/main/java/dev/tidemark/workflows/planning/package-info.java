/** What is due and why: a pure function of definition, ledger snapshot, versions and now. */
@NullMarked
package dev.tidemark.workflows.planning;

import org.jspecify.annotations.NullMarked;
