/** Tidemark in an application's own worker. */
@NullMarked
package dev.tidemark.worker.plugin;

import org.jspecify.annotations.NullMarked;
