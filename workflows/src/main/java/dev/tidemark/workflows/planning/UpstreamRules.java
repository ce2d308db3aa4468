package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the partitions of a pipeline are to those that read it ("The ledger's rules", Upstream). A
 * pure function of what is recorded, by the same rules as planning.
 */
public final class UpstreamRules {
  /** It is due, and stays as it is all the same until somebody does something about it. */
  private static final Set<Reason> LEFT_ALONE =
      Set.of(
          Reason.PARKED, Reason.PAUSED, Reason.FROZEN, Reason.NO_INPUT, Reason.SKIPPED_BY_CATCH_UP);

  private static final Set<Reason> NOT_COUNTED =
      Set.of(
          Reason.NOT_EXPECTED,
          Reason.UNKNOWN_SLICE,
          Reason.BEFORE_START,
          Reason.BEFORE_SINCE,
          Reason.AFTER_END);

  private final Dueness dueness;

  /**
   * @param input of the upstream pipeline; its facts, range and observed versions play no part
   */
  public UpstreamRules(PlanInput input) {
    this.dueness = new Dueness(input);
  }

  /**
   * What a partition is.
   *
   * @param counts false where it is not expected, excused or skipped
   * @param committed it has a commit
   * @param waitsFor why a reader that wants all has to wait for it; null where it need not
   */
  public record Standing(boolean counts, boolean committed, @Nullable Reason waitsFor) {
    private static final Standing NOT_COUNTED = new Standing(false, false, null);
  }

  /**
   * What it is.
   *
   * @param facts null where it has no row
   * @param ownUpstream what its own upstream inputs say of it
   */
  public Standing of(
      Window window, Slice slice, @Nullable PartitionFacts facts, OwnUpstream ownUpstream) {
    boolean committed = facts != null && facts.commit() != null;
    boolean mayChange = committed && ownUpstream != OwnUpstream.UNCHANGED;
    PartitionFacts judged = facts != null && mayChange ? facts.withChangedInput() : facts;
    List<Reason> reasons = dueness.reasons(window, slice, judged);
    Reason first = reasons.get(0);
    if (first == Reason.RETAINED_OUT) {
      // What was made and is not kept any more changes nothing in what was made from it.
      return committed ? new Standing(true, true, null) : Standing.NOT_COUNTED;
    }
    if (NOT_COUNTED.contains(first) || reasons.contains(Reason.EXCUSED)) {
      return Standing.NOT_COUNTED;
    }
    if (!committed) {
      return reasons.contains(Reason.SKIPPED_BY_CATCH_UP)
          ? Standing.NOT_COUNTED
          : new Standing(true, false, first);
    }
    Reason wait = whatCommittedWaitsFor(reasons);
    boolean waitsItself = mayChange && wait == Reason.LATE && ownUpstream == OwnUpstream.NOT_READY;
    return new Standing(true, true, waitsItself ? Reason.UPSTREAM_NOT_READY : wait);
  }

  private static @Nullable Reason whatCommittedWaitsFor(List<Reason> reasons) {
    if (reasons.contains(Reason.RUNNING)) {
      return Reason.RUNNING;
    }
    boolean settled =
        reasons.stream().noneMatch(Reason::isDue)
            || reasons.stream().anyMatch(LEFT_ALONE::contains);
    return settled ? null : reasons.get(0);
  }

  /** What the upstream inputs of an upstream partition say of it. */
  public enum OwnUpstream {
    /** It has none, or was made from them as they are. */
    UNCHANGED,
    /** They have changed since: it is late, whether or not that was recorded by now. */
    CHANGED,
    /** They are about to change. */
    NOT_READY
  }
}
