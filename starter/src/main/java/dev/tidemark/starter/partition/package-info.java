/** Commands on single partitions: looking at them, and stepping in. */
@NullMarked
package dev.tidemark.starter.partition;

import org.jspecify.annotations.NullMarked;
