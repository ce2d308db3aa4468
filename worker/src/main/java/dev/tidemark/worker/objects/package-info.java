/** Objects over HTTP: questions, edits, and how the indexes of their types stand. */
@NullMarked
package dev.tidemark.worker.objects;

import org.jspecify.annotations.NullMarked;
