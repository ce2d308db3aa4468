package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimResult.LanePolicy;
import dev.tidemark.workflows.ledger.LedgerActivities;
import dev.tidemark.workflows.task.PartitionActivities;
import io.temporal.activity.ActivityOptions;
import io.temporal.activity.LocalActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** How long each activity may take, and how often Temporal tries it. */
final class ActivityPolicies {
  private static final Duration MARGIN = Duration.ofSeconds(60);

  /** What an attempt may take beyond its task: to read versions, upload, publish and settle. */
  private static final Duration PUBLISHING = Duration.ofHours(1);

  private static final Duration CLAIM = Duration.ofSeconds(20);
  private static final Duration LOCAL_CLAIM = Duration.ofSeconds(5);
  private static final int SUMMARY_LENGTH = 200;

  private ActivityPolicies() {}

  /** One short transaction or a few: tried until the database is back. */
  static LedgerActivities ledger() {
    return Workflow.newActivityStub(
        LedgerActivities.class,
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofMinutes(1))
            .setRetryOptions(retry(Duration.ofSeconds(1), Duration.ofSeconds(30)).build())
            .build());
  }

  /**
   * A claim in the lane's own process, within the workflow task that found slots free: it costs the
   * server no task of its own, and what it got starts with the same task. Tried once, and for less
   * than a workflow task may take; {@link #claiming} comes after it.
   */
  static LedgerActivities claimingLocally() {
    return Workflow.newLocalActivityStub(
        LedgerActivities.class,
        LocalActivityOptions.newBuilder()
            .setStartToCloseTimeout(LOCAL_CLAIM)
            .setScheduleToCloseTimeout(LOCAL_CLAIM)
            .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
            .build());
  }

  /**
   * A claim whose worker is killed must be asked for again while most of its lease is left: the
   * lane claims nothing else meanwhile, and what it took has a minute to begin.
   */
  static LedgerActivities claiming() {
    return Workflow.newActivityStub(
        LedgerActivities.class,
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(CLAIM)
            .setRetryOptions(retry(Duration.ofSeconds(1), Duration.ofSeconds(30)).build())
            .build());
  }

  /**
   * Planning reads the inputs, which may be many; a sweep whose plan keeps failing fails, so that
   * it is seen, and the next one starts afresh.
   */
  static LedgerActivities planning() {
    return Workflow.newActivityStub(
        LedgerActivities.class,
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofMinutes(10))
            .setRetryOptions(
                retry(Duration.ofSeconds(1), Duration.ofSeconds(30)).setMaximumAttempts(8).build())
            .build());
  }

  /**
   * The partition itself decides when its claim ends; the bounds here are for attempts that can no
   * longer say so. A worker that died is found by its heartbeat, so that an attempt may take as
   * long as its output needs. A claim that no worker begins within a minute is given back, before
   * its lease of 90 seconds ends.
   */
  static PartitionActivities partition(LanePolicy policy, Claim claim) {
    Duration timeout = Duration.ofSeconds(policy.taskTimeoutSeconds()).plus(PUBLISHING);
    Duration maxBackoff = Duration.ofMillis(Math.max(1, policy.maxBackoffMillis()));
    Duration backoff =
        Duration.ofMillis(Math.min(Math.max(1, policy.backoffMillis()), maxBackoff.toMillis()));
    return Workflow.newActivityStub(
        PartitionActivities.class,
        ActivityOptions.newBuilder()
            .setHeartbeatTimeout(Duration.ofSeconds(30))
            .setScheduleToStartTimeout(MARGIN)
            .setStartToCloseTimeout(timeout)
            .setScheduleToCloseTimeout(
                timeout.plus(maxBackoff).multipliedBy(policy.attempts()).plusHours(1))
            .setRetryOptions(retry(backoff, maxBackoff).build())
            .setSummary(summary(claim))
            .build());
  }

  /** A refusal says itself that it is not to be tried again. */
  private static RetryOptions.Builder retry(Duration first, Duration longest) {
    return RetryOptions.newBuilder()
        .setInitialInterval(first)
        .setBackoffCoefficient(2)
        .setMaximumInterval(longest);
  }

  private static String summary(Claim claim) {
    String text = (claim.partition() + " " + claim.slice()).strip();
    return text.length() <= SUMMARY_LENGTH ? text : text.substring(0, SUMMARY_LENGTH);
  }
}
