package dev.tidemark.activities.inputs;

import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import java.time.Instant;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds, per partition, the version of one input now (C22). Implement it for a storage technology
 * of your own. One call covers a range: detection over years costs one query or one listing.
 */
@FunctionalInterface
public interface ChangeDetector {

  /**
   * Reports each partition in the range that has an input.
   *
   * @throws Exception if it cannot tell; that is never taken for "nothing changed"
   */
  void scan(Range range, Consumer<Found> found) throws Exception;

  /**
   * What to look at: windows that start in [from, to).
   *
   * @param slice only this slice, or null for all
   */
  record Range(
      String pipeline, Partitioning partitions, Instant from, Instant to, @Nullable Slice slice) {}

  /**
   * One partition's input.
   *
   * @param partition label
   * @param slice the dimensions that this input tells apart; empty where it is the same for all
   *     slices
   * @param version differs when the content may differ
   */
  record Found(String partition, Slice slice, String version) {}
}
