package dev.tidemark.activities.inputs;

import dev.tidemark.workflows.partition.Slice;
import org.jspecify.annotations.Nullable;

/** The versions of all inputs of a pipeline together, as one scan found them. */
public interface Observed {

  /**
   * The version of a partition's inputs together; null where the pipeline has no inputs, or a
   * required one is missing.
   */
  @Nullable String version(String partition, Slice slice);

  /** Whether every required input is there. */
  boolean ready(String partition, Slice slice);
}
