/**
 * What people and programs see of a command: text or JSON on standard output, the rest on standard
 * error.
 */
@NullMarked
package dev.tidemark.starter.output;

import org.jspecify.annotations.NullMarked;
