/** The commands that ask for a range, and follow it. */
@NullMarked
package dev.tidemark.starter.backfill;

import org.jspecify.annotations.NullMarked;
