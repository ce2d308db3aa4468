package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.ledger.Outlook;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;

/** How long asked-for work sleeps before it looks at the ledger again; news wake it earlier. */
final class Patience {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofHours(1);
  private static final int MAX_DOUBLINGS = 6;

  private Patience() {}

  /** Until the ledger says that something may be due: from a second to an hour. */
  static Duration untilDue(Outlook outlook) {
    Instant wakeAt = outlook.wakeAt();
    if (wakeAt == null) {
      return LONGEST;
    }
    Duration until = Duration.between(Instant.ofEpochMilli(Workflow.currentTimeMillis()), wakeAt);
    Duration atMost = until.compareTo(LONGEST) > 0 ? LONGEST : until;
    return atMost.compareTo(SHORTEST) < 0 ? SHORTEST : atMost;
  }

  /**
   * After so many lanes in a row (at least 1) that got nothing although the ledger saw something to
   * claim, as where others hold every slot: from a second to a minute.
   */
  static Duration afterFruitless(int lanes) {
    return SHORTEST.multipliedBy(1L << Math.min(lanes - 1, MAX_DOUBLINGS));
  }
}
