package dev.tidemark.activities.ledger.attempt;

import dev.tidemark.workflows.ledger.PartitionOutcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What settle answers. */
public sealed interface Settlement {

  /**
   * The claim has ended with this outcome. Also where the token was no longer the newest: RELEASED,
   * nothing was written.
   *
   * @param changed committed, and what is there now differs from what was there before
   */
  record Ended(PartitionOutcome outcome, boolean changed) implements Settlement {
    /** Without new content. */
    Ended(PartitionOutcome outcome) {
      this(outcome, false);
    }
  }

  /** The attempt failed, the claim goes on: another attempt may follow after the pause. */
  record RetryIn(Duration pause, @Nullable String error) implements Settlement {}
}
