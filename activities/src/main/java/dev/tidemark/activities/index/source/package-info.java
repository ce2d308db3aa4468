/** What datasources have: their transactions, and the rows of each. */
@NullMarked
package dev.tidemark.activities.index.source;

import org.jspecify.annotations.NullMarked;
