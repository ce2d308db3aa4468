/**
 * Rows as they come from a database, checked against the pinned types, and held without objects.
 */
@NullMarked
package dev.tidemark.activities.export.row;

import org.jspecify.annotations.NullMarked;
