/** PostgreSQL and Temporal in the process, where none is configured. */
@NullMarked
package dev.tidemark.worker.embedded;

import org.jspecify.annotations.NullMarked;
