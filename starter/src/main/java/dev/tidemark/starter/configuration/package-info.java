/** The commands about tidemark.yaml itself and what it names. */
@NullMarked
package dev.tidemark.starter.configuration;

import org.jspecify.annotations.NullMarked;
