package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import org.jspecify.annotations.Nullable;

/** What an observation of the inputs found, not yet in the ledger. */
public interface ObservedVersions {

  /** The version of the partition's inputs now; null where they have none. */
  @Nullable String version(Window window, Slice slice);

  /** Whether every input that the partition needs is there. */
  boolean ready(Window window, Slice slice);

  /** What it waits for where it is not ready: {@code no_input} or {@code upstream_not_ready}. */
  default @Nullable InputHold hold(Window window, Slice slice) {
    return ready(window, slice) ? null : InputHold.NO_INPUT;
  }
}
