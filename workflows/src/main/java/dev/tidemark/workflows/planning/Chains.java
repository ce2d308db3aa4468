package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The order that a stateful pipeline keeps within each slice: a window runs only when every one
 * before it is settled, and once one is made again, so is all that was built on it (C20). Excused,
 * skipped and unexpected windows are passed over.
 */
final class Chains {
  private final Judge judge;
  private final List<Window> windows;
  private final Map<Slice, Chain> chains = new HashMap<>();

  /** Every reason of a window, given what comes before it. */
  @FunctionalInterface
  interface Judge {
    List<Reason> reasons(Window window, Slice slice, Link link);
  }

  /**
   * What comes before a window.
   *
   * @param blockedBy the oldest one that is not settled and cannot run now, null for none
   * @param rebuilt the one before it runs again
   */
  record Link(@Nullable Window blockedBy, boolean rebuilt) {
    static final Link NONE = new Link(null, false);
  }

  /**
   * A slice.
   *
   * @param first the oldest window that is not settled, null if all are
   * @param rebuiltFrom from here on each is rebuilt, null for none
   * @param blockedBy what comes after it waits, null for none
   */
  private record Chain(
      @Nullable Window first, @Nullable Window rebuiltFrom, @Nullable Window blockedBy) {
    Link link(Window window) {
      return new Link(
          blockedBy != null && blockedBy.compareTo(window) < 0 ? blockedBy : null,
          rebuiltFrom != null && rebuiltFrom.compareTo(window) <= 0);
    }
  }

  /**
   * @param windows that may be expected, oldest first
   */
  Chains(Judge judge, List<Window> windows) {
    this.judge = judge;
    this.windows = windows;
  }

  Link link(Window window, Slice slice) {
    return chain(slice).link(window);
  }

  /** The oldest window before it that is not settled; null if it is its turn. */
  @Nullable Window waitsFor(Window window, Slice slice) {
    Window first = chain(slice).first();
    return first != null && first.compareTo(window) < 0 ? first : null;
  }

  private Chain chain(Slice slice) {
    return chains.computeIfAbsent(slice, this::walk);
  }

  private Chain walk(Slice slice) {
    Window first = null;
    Window rebuiltFrom = null;
    boolean runsBefore = false;
    for (Window window : windows) {
      List<Reason> reasons = judge.reasons(window, slice, new Link(null, runsBefore));
      if (isPassedOver(reasons)) {
        continue;
      }
      if (runsBefore && rebuiltFrom == null && reasons.contains(Reason.CHAIN)) {
        rebuiltFrom = window;
      }
      if (!isUnsettled(reasons)) {
        runsBefore = false;
        continue;
      }
      first = first == null ? window : first;
      if (!reasons.get(0).isDue()) {
        return new Chain(first, rebuiltFrom, window);
      }
      runsBefore = true;
    }
    return new Chain(first, rebuiltFrom, null);
  }

  private static boolean isPassedOver(List<Reason> reasons) {
    return reasons.contains(Reason.EXCUSED)
        || reasons.contains(Reason.SKIPPED_BY_CATCH_UP)
        || reasons.contains(Reason.NOT_EXPECTED)
        || reasons.contains(Reason.BEFORE_SINCE)
        || reasons.contains(Reason.AFTER_END)
        || reasons.contains(Reason.RETAINED_OUT);
  }

  /** What is asked for in vain, of a frozen pipeline, holds nothing up. */
  private static boolean isUnsettled(List<Reason> reasons) {
    for (Reason reason : reasons) {
      if (reason == Reason.RUNNING || reason.isDue()) {
        return true;
      }
      if (reason == Reason.FROZEN) {
        return false;
      }
    }
    return false;
  }
}
