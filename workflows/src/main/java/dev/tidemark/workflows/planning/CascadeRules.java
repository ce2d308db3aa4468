package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What becomes of a partition once something that it reads has changed (C24). A pure function. */
public final class CascadeRules {
  /** What holds it back now and not any more then. */
  private static final Set<Reason> PASSING =
      Set.of(
          Reason.NO_INPUT,
          Reason.UPSTREAM_NOT_READY,
          Reason.PARKED,
          Reason.RUNNING,
          Reason.WAITING_FOR_RETRY,
          Reason.WAITING_FOR_LATE);

  private final Dueness dueness;

  /**
   * @param input of the pipeline that reads; its observed versions play no part
   */
  public CascadeRules(PlanInput input) {
    this.dueness = new Dueness(input);
  }

  /**
   * Why it will run, or not.
   *
   * @param facts null where it has no row
   */
  public Reason reason(Window window, Slice slice, @Nullable PartitionFacts facts) {
    List<Reason> reasons =
        dueness.reasons(
            window,
            slice,
            facts == null || facts.commit() == null ? facts : facts.withChangedInput());
    return reasons.stream()
        .filter(reason -> !PASSING.contains(reason))
        .findFirst()
        .orElse(Reason.UP_TO_DATE);
  }
}
