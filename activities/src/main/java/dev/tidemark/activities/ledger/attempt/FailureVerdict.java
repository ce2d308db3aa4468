package dev.tidemark.activities.ledger.attempt;

import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.pipeline.Retry;
import java.time.Duration;

/**
 * What a failure leads to: a pure rule.
 *
 * @param failures of the claim, from now on
 * @param failedClaims since the last success, from now on
 * @param pause before the next attempt; zero where none is planned
 */
record FailureVerdict(End end, int failures, int failedClaims, Duration pause) {
  private static final Duration UNFIT_WORKER_PAUSE = Duration.ofSeconds(10);

  /** Where it leads. */
  enum End {
    RETRY_IN_CLAIM,
    FAILED,
    PARKED,
    NOT_READY,
    RELEASED
  }

  /**
   * @param failures of the claim, before this one
   * @param failedClaims since the last success, before this claim
   * @param claimed the row is still under the claim of the attempt, so that another can follow
   */
  static FailureVerdict of(
      FailureKind kind, Retry retry, int failures, int failedClaims, boolean claimed) {
    return switch (kind) {
      case RELEASED -> new FailureVerdict(End.RELEASED, failures, failedClaims, Duration.ZERO);
      case UNFIT_WORKER ->
          new FailureVerdict(End.RELEASED, failures, failedClaims, UNFIT_WORKER_PAUSE);
      case NOT_READY, NO_WORKER, NO_DESTINATION ->
          new FailureVerdict(End.NOT_READY, 0, failedClaims, retry.thenAfter());
      case BAD_DATA -> new FailureVerdict(End.PARKED, 0, failedClaims + 1, Duration.ZERO);
      case ERROR -> {
        if (claimed && failures + 1 < retry.attempts()) {
          yield new FailureVerdict(
              End.RETRY_IN_CLAIM, failures + 1, failedClaims, retry.pauseWithinClaim(failures + 1));
        }
        yield afterClaim(retry, failedClaims + 1);
      }
    };
  }

  /** A claim has failed, the {@code failedClaims}-th since the last success. */
  static FailureVerdict afterClaim(Retry retry, int failedClaims) {
    return failedClaims >= retry.giveUpAfter()
        ? new FailureVerdict(End.PARKED, 0, failedClaims, Duration.ZERO)
        : new FailureVerdict(End.FAILED, 0, failedClaims, retry.pauseAfterClaim(failedClaims));
  }

  /** Whether it counts against the partition. */
  boolean isSpent() {
    return end != End.NOT_READY && end != End.RELEASED;
  }

  /** Whether the partition waits for a time, without a claim. */
  boolean isWaiting() {
    return end != End.RETRY_IN_CLAIM && !pause.isZero();
  }

  /** The attempt's outcome as recorded. */
  String recorded() {
    return switch (end) {
      case RETRY_IN_CLAIM, FAILED -> "failed";
      case PARKED -> "parked";
      case NOT_READY -> "not_ready";
      case RELEASED -> "released";
    };
  }

  Settlement settlement(String error) {
    return switch (end) {
      case RETRY_IN_CLAIM -> new Settlement.RetryIn(pause, error);
      case FAILED -> ended(PartitionOutcome.Kind.FAILED, error);
      case PARKED -> ended(PartitionOutcome.Kind.PARKED, error);
      case NOT_READY -> ended(PartitionOutcome.Kind.NOT_READY, error);
      case RELEASED -> ended(PartitionOutcome.Kind.RELEASED, error);
    };
  }

  private static Settlement ended(PartitionOutcome.Kind kind, String error) {
    return new Settlement.Ended(new PartitionOutcome(kind, error));
  }
}
