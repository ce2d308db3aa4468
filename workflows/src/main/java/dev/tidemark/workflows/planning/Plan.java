package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Window;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What would run, in that order, and on request what would not and why.
 *
 * @param closedThrough the newest closed window, null if none is
 * @param heldByDefinition how many would run if {@code on-definition-change} were not {@code ask};
 *     counted also where they are not listed
 */
public record Plan(
    String pipeline,
    Instant now,
    @Nullable Window closedThrough,
    int heldByDefinition,
    List<PlannedPartition> partitions) {
  public Plan {
    partitions = List.copyOf(partitions);
  }

  /** The closed partitions that were never made, as they would run. */
  public List<PlannedPartition> missing() {
    return partitions.stream().filter(line -> line.reason() == Reason.MISSING).toList();
  }
}
