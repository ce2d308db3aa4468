/** The tidemark command: its assembly and its entry point. */
@NullMarked
package dev.tidemark.starter.command;

import org.jspecify.annotations.NullMarked;
