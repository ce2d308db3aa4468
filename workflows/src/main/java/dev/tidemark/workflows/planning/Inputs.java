package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.planning.PartitionFacts.Mark;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The inputs of partitions: as observed just now, or else as recorded. */
final class Inputs {
  private final @Nullable ObservedVersions observed;

  Inputs(@Nullable ObservedVersions observed) {
    this.observed = observed;
  }

  /** Whether an input that it needs is not there. */
  boolean isMissing(Window window, Slice slice, @Nullable PartitionFacts facts) {
    return observed == null
        ? facts != null && facts.is(Mark.NO_INPUT)
        : !observed.ready(window, slice);
  }

  /** C14, C15: by versions, not by times, and only where both are known. */
  boolean isLate(PartitionFacts facts) {
    String processed = facts.versions().processed();
    String version = version(facts);
    return processed != null && version != null && !version.equals(processed);
  }

  /** Whether they changed since they were last recorded, which ends a failure. */
  boolean isNew(PartitionFacts facts) {
    String version = version(facts);
    return version != null && !Objects.equals(version, facts.versions().input());
  }

  private @Nullable String version(PartitionFacts facts) {
    return observed == null
        ? facts.versions().input()
        : observed.version(facts.window(), facts.slice());
  }
}
