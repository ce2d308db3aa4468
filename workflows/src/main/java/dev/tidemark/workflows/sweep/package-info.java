/** The sweep and lane workflows. */
@NullMarked
package dev.tidemark.workflows.sweep;

import org.jspecify.annotations.NullMarked;
