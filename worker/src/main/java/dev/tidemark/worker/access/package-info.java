/** Who may do what on the page and its API. */
@NullMarked
package dev.tidemark.worker.access;

import org.jspecify.annotations.NullMarked;
