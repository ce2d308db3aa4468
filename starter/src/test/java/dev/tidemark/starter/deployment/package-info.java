/** What {@code deploy} ships is checked by the validators of its own kind. */
@NullMarked
package dev.tidemark.starter.deployment;

import org.jspecify.annotations.NullMarked;
