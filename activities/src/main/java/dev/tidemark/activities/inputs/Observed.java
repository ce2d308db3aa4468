package dev.tidemark.activities.inputs;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.planning.InputHold;
import org.jspecify.annotations.Nullable;

/** The versions of all inputs of a pipeline together, as one scan found them. */
public interface Observed {

  /**
   * The version of a partition's inputs together; null where the pipeline has no inputs, or a
   * required one is missing.
   */
  @Nullable String version(String partition, Slice slice);

  /** Why the inputs cannot be read now; null where every one that is required is there. */
  @Nullable InputHold hold(String partition, Slice slice);

  /** Whether every required input is there, and every upstream is ready. */
  default boolean ready(String partition, Slice slice) {
    return hold(partition, slice) == null;
  }
}
