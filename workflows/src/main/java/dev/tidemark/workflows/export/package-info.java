/** What an export is: a dataset with a pinned schema, in files of one format, for warehouses. */
@NullMarked
package dev.tidemark.workflows.export;

import org.jspecify.annotations.NullMarked;
