/**
 * What every definition has in common, written in a file or in Java: its defaults and its rules.
 */
@NullMarked
package dev.tidemark.worker.definition;

import org.jspecify.annotations.NullMarked;
