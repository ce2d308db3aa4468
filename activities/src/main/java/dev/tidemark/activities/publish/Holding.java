package dev.tidemark.activities.publish;

import dev.tidemark.activities.ledger.attempt.Attempts;
import java.util.concurrent.TimeUnit;

/**
 * Whether a token is still the newest of its row. Every answer is old when it comes: the next
 * attempt may begin while it is under way, and what then refuses this one is that its staging is
 * gone. So an answer that is not much older than any is as good.
 */
final class Holding {
  /** What an answer of a busy ledger takes. */
  private static final long YOUNG = TimeUnit.MILLISECONDS.toNanos(10);

  private final Attempts attempts;
  private final long token;
  private long askedAt;

  Holding(Attempts attempts, long token) {
    this.attempts = attempts;
    this.token = token;
  }

  /** Records what the attempt is about to publish, which its row refuses where it is not held. */
  void intend(String intent) throws SupersededException {
    askedAt = System.nanoTime();
    if (!attempts.intend(token, intent)) {
      throw new SupersededException("record what it is about to publish");
    }
  }

  /**
   * Asks the ledger.
   *
   * @throws SupersededException if the token is not the newest any more
   */
  void check(String step) throws SupersededException {
    askedAt = System.nanoTime();
    if (!attempts.holds(token)) {
      throw new SupersededException(step);
    }
  }

  /** The same, unless the ledger was asked a moment ago. */
  void checkIfOld(String step) throws SupersededException {
    if (System.nanoTime() - askedAt > YOUNG) {
      check(step);
    }
  }
}
