package dev.tidemark.activities.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With a distance that never passes: what waits at all, waits until it is interrupted. */
@Timeout(60)
final class ClaimPaceTest {
  private final ClaimPace pace = new ClaimPace(Duration.ofDays(1));

  @Test
  void aClaimThatFoundFewIsFollowedAtOnce() {
    pace.claimed("daily", ClaimPace.MANY);
    pace.claimed("daily", ClaimPace.MANY - 1);

    pace.await("daily");

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void aClaimThatFoundManyHoldsBackTheNextOfItsPipelineOnly() throws Exception {
    pace.claimed("daily", ClaimPace.MANY);
    pace.await("hourly");
    Thread next = new Thread(() -> pace.await("daily"));
    next.start();
    while (next.getState() != Thread.State.TIMED_WAITING) {
      assertThat(next.isAlive()).isTrue();
      Thread.onSpinWait();
    }

    next.interrupt();

    next.join();
    assertThat(next.isAlive()).isFalse();
  }
}
