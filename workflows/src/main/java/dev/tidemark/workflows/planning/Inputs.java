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

  /** Why an input that it needs cannot be read; null where all can. */
  @Nullable Reason hold(Window window, Slice slice, @Nullable PartitionFacts facts) {
    if (observed != null) {
      InputHold hold = observed.hold(window, slice);
      return hold == null ? null : hold.reason();
    }
    if (facts == null || !facts.is(Mark.NO_INPUT)) {
      return null;
    }
    return facts.is(Mark.UPSTREAM_NOT_READY) ? Reason.UPSTREAM_NOT_READY : Reason.NO_INPUT;
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
