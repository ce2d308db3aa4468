package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.CatchUp;
import java.time.Instant;
import java.util.List;

/**
 * Which windows without a row the catch-up policy passes over: of those newer than all that is
 * known, all but the newest few. What is older is not newly closed: history added by a definition
 * is always due (A20).
 */
final class CatchUpRule {
  private final Instant newestKnown;
  private final Instant firstDue;

  CatchUpRule(Partitioning partitions, CatchUp policy, Window closed, List<PartitionFacts> known) {
    this.newestKnown =
        known.stream()
            .map(facts -> facts.window().start())
            .max(Instant::compareTo)
            .orElse(Instant.MIN);
    this.firstDue =
        policy instanceof CatchUp.Newest newest
            ? partitions.plus(closed, 1 - newest.windows()).start()
            : Instant.MIN;
  }

  boolean skips(Window window) {
    return window.start().isAfter(newestKnown) && window.start().isBefore(firstDue);
  }
}
