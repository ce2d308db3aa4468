package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Why one partition is due or not: what {@code explain} says. */
public final class Reasons {

  /**
   * Every reason of the partition, never empty. The first decides whether it is due, and is the one
   * that a plan gives; limits apart, which only a plan knows.
   *
   * @param input as for a plan; the range plays no part
   */
  public static List<Reason> of(PlanInput input, Window window, Slice slice) {
    return of(input, window, slice, LiveClaims.NONE);
  }

  /**
   * The same, and before what makes it due, why it has to wait for what runs now.
   *
   * @param live what runs now
   */
  public static List<Reason> of(PlanInput input, Window window, Slice slice, LiveClaims live) {
    Dueness dueness = new Dueness(input);
    PartitionFacts facts = FactsIndex.of(input.facts()).get(window, slice);
    List<Reason> reasons = dueness.reasons(window, slice, facts);
    if (!reasons.get(0).isDue()) {
      return List.copyOf(reasons);
    }
    if (dueness.waitsFor(window, slice) != null) {
      return before(Reason.WAITING_FOR_PREDECESSOR, reasons);
    }
    Reason cap = dueness.capAgainst(slice, facts, live);
    return cap == null ? List.copyOf(reasons) : before(cap, reasons);
  }

  /**
   * The oldest window of the slice that has to be settled before this one may run; null where there
   * is none, or the pipeline is not stateful.
   */
  public static @Nullable Window predecessor(PlanInput input, Window window, Slice slice) {
    return new Dueness(input).waitsFor(window, slice);
  }

  /** These reasons, and before them the one that holds it back. */
  public static List<Reason> before(Reason hold, List<Reason> reasons) {
    return Stream.concat(Stream.of(hold), reasons.stream()).toList();
  }

  private Reasons() {}
}
