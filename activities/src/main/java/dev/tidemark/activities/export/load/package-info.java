/** Load scripts for warehouses and databases, made from the columns that the files have (B36). */
@NullMarked
package dev.tidemark.activities.export.load;

import org.jspecify.annotations.NullMarked;
