/** What the page reads of the ledger, and the record of what people do there. */
@NullMarked
package dev.tidemark.activities.page;

import org.jspecify.annotations.NullMarked;
