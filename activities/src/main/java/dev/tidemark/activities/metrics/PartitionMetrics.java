package dev.tidemark.activities.metrics;

import org.jspecify.annotations.Nullable;

/** Is told what happens to partitions, by pipeline; called often, from many threads. */
public interface PartitionMetrics {
  /** Counts nothing. */
  PartitionMetrics NONE = new PartitionMetrics() {};

  /** An attempt has committed; null where it is not known how much. */
  default void committed(String pipeline, @Nullable Long rows, @Nullable Long bytes) {}

  /** An attempt did not come to its commit because of this. */
  default void troubled(String pipeline, Trouble trouble) {}

  /** The inputs were looked at: all of them, or one could not tell. */
  default void scanned(String pipeline, boolean readable) {}
}
