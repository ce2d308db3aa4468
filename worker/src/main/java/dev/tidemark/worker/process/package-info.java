/** Assembly: one method reads top to bottom as the object graph of a worker. */
@NullMarked
package dev.tidemark.worker.process;

import org.jspecify.annotations.NullMarked;
