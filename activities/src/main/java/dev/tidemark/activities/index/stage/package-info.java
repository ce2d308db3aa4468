/** The stages that make a generation of an index: changelog, merge, index (D3). */
@NullMarked
package dev.tidemark.activities.index.stage;

import org.jspecify.annotations.NullMarked;
