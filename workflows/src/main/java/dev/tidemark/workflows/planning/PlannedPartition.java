package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;

/** One line of a plan. Runs iff the reason is a due one. */
public record PlannedPartition(Window window, Slice slice, Reason reason) {
  public boolean runs() {
    return reason.isDue();
  }
}
