/** The tidemark command. */
@NullMarked
package dev.tidemark.starter.command;

import org.jspecify.annotations.NullMarked;
