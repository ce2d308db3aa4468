/** What is registered: definitions in revisions, and the set of partitions they say must exist. */
@NullMarked
package dev.tidemark.activities.ledger.definition;

import org.jspecify.annotations.NullMarked;
