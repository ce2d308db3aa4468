package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Duration;

/**
 * What follows a failure.
 *
 * @param attempts failures within one claim, then the partition is failed for {@code thenAfter}
 * @param backoff the pause before the second attempt of a claim, doubling up to {@code maxBackoff}
 * @param thenAfter the pause after a failed claim, doubling up to six hours
 * @param giveUpAfter failed claims, then the partition is parked
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Retry(
    int attempts, Duration backoff, Duration maxBackoff, Duration thenAfter, int giveUpAfter) {
  public static final Retry DEFAULT =
      new Retry(3, Duration.ofSeconds(10), Duration.ofMinutes(5), Duration.ofMinutes(15), 10);

  private static final Duration MAX_THEN_AFTER = Duration.ofHours(6);

  public Retry {
    if (attempts < 1) {
      throw new IllegalArgumentException("retry.attempts must be at least 1: " + attempts);
    }
    if (giveUpAfter < 1) {
      throw new IllegalArgumentException("retry.give-up-after must be at least 1: " + giveUpAfter);
    }
    for (Duration pause : new Duration[] {backoff, maxBackoff, thenAfter}) {
      if (pause.isNegative()) {
        throw new IllegalArgumentException("retry pauses must not be negative: " + pause);
      }
    }
  }

  /** The pause before the next attempt after this many failures (at least 1) of one claim. */
  public Duration pauseWithinClaim(int failures) {
    return doubled(backoff, failures - 1, maxBackoff);
  }

  /** The pause after this many failed claims (at least 1). */
  public Duration pauseAfterClaim(int failedClaims) {
    return doubled(
        thenAfter,
        failedClaims - 1,
        thenAfter.compareTo(MAX_THEN_AFTER) > 0 ? thenAfter : MAX_THEN_AFTER);
  }

  private static Duration doubled(Duration first, int times, Duration cap) {
    Duration pause = first;
    for (int i = 0; i < times && pause.compareTo(cap) < 0; i++) {
      pause = pause.multipliedBy(2);
    }
    return pause.compareTo(cap) > 0 ? cap : pause;
  }
}
