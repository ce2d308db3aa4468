/** tidemark.yaml: reading it, and every problem in it at once. */
@NullMarked
package dev.tidemark.worker.configuration;

import org.jspecify.annotations.NullMarked;
