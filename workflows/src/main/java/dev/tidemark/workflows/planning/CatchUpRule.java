package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.CatchUp;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which windows without a row the catch-up policy passes over: of those newer than the newest known
 * one of their slice, all but the newest few.
 */
final class CatchUpRule {
  private final Instant firstDue;
  private final Map<Slice, Instant> newestKnown = new HashMap<>();

  CatchUpRule(Partitioning partitions, CatchUp policy, Window closed, List<PartitionFacts> known) {
    this.firstDue =
        policy instanceof CatchUp.Newest newest
            ? partitions.plus(closed, 1 - newest.windows()).start()
            : Instant.MIN;
    for (PartitionFacts facts : known) {
      newestKnown.merge(
          facts.slice(), facts.window().start(), (one, other) -> one.isAfter(other) ? one : other);
    }
  }

  boolean skips(Window window, Slice slice) {
    return window.start().isBefore(firstDue)
        && window.start().isAfter(newestKnown.getOrDefault(slice, Instant.MIN));
  }
}
