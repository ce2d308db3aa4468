/** A YAML file read by expected types: every problem with its line, nothing guessed. */
@NullMarked
package dev.tidemark.worker.yaml;

import org.jspecify.annotations.NullMarked;
