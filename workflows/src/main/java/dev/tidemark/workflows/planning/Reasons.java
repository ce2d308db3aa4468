package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.util.List;

/** Why one partition is due or not: what {@code explain} says. */
public final class Reasons {

  /**
   * Every reason of the partition, never empty. The first decides whether it is due, and is the one
   * that a plan gives; limits apart, which only a plan knows.
   *
   * @param input as for a plan; the range plays no part
   */
  public static List<Reason> of(PlanInput input, Window window, Slice slice) {
    return List.copyOf(
        new Dueness(input).reasons(window, slice, FactsIndex.of(input.facts()).get(window, slice)));
  }

  private Reasons() {}
}
