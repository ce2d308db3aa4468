package dev.tidemark.activities.ledger;

import dev.tidemark.workflows.ledger.PartitionOutcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What settle answers. */
public sealed interface Settlement {

  /**
   * The claim has ended with this outcome. Also where the token was no longer the newest: RELEASED,
   * nothing was written.
   */
  record Ended(PartitionOutcome outcome) implements Settlement {}

  /** The attempt failed, the claim goes on: another attempt may follow after the pause. */
  record RetryIn(Duration pause, @Nullable String error) implements Settlement {}
}
