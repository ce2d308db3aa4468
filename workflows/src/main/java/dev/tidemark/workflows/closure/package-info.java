/** When a window's input counts as complete. */
@NullMarked
package dev.tidemark.workflows.closure;

import org.jspecify.annotations.NullMarked;
