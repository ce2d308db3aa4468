package dev.tidemark.activities.task;

import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.ledger.attempt.Begin;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.attempt.Settlement;
import dev.tidemark.activities.publish.Publication.EarlierCommit;
import dev.tidemark.activities.publish.Publisher;
import dev.tidemark.workflows.foreign.ForeignActivities;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.pipeline.TaskSpec;
import dev.tidemark.workflows.task.PartitionActivities;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;

/**
 * Runs one partition: begin, read versions, task, stage, publish, settle. What goes wrong with the
 * task is settled; what goes wrong with the ledger is thrown, settles nothing and is tried again by
 * Temporal.
 */
public final class PartitionRunner implements PartitionActivities, AutoCloseable {
  /** The type of the failure that another attempt of the same claim follows. */
  static final String RETRIED = "TidemarkTaskFailed";

  private final Attempts attempts;
  private final Observations observations;
  private final InputVersions inputs;
  private final Tasks tasks;
  private final TaskBinding binding;
  private final Publisher publisher;
  private final RunnerHost host;
  private final LeaseKeeper keeper;

  /**
   * @param host what it is part of
   */
  public PartitionRunner(
      Attempts attempts,
      Observations observations,
      InputVersions inputs,
      Tasks tasks,
      TaskBinding binding,
      Publisher publisher,
      RunnerHost host) {
    this.attempts = attempts;
    this.observations = observations;
    this.inputs = inputs;
    this.tasks = tasks;
    this.binding = binding;
    this.publisher = publisher;
    this.host = host;
    this.keeper = new LeaseKeeper(attempts, LeaseKeeper.Rhythm.DEFAULT);
  }

  /** For the partitions whose task another SDK runs. */
  public ForeignActivities foreign() {
    return new ForeignRunner(attempts, observations, inputs, publisher, host, keeper);
  }

  @Override
  public PartitionOutcome run(Claim claim) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    Settlement settlement =
        settle(claim, activity.getInfo().getAttempt(), () -> activity.heartbeat(null));
    host.wakes().settled(claim, settlement, new WakeSignals(activity));
    return outcome(settlement);
  }

  PartitionOutcome run(Claim claim, int attempt, LeaseKeeper.Heartbeat heartbeat) {
    return outcome(settle(claim, attempt, heartbeat));
  }

  private Settlement settle(Claim claim, int attempt, LeaseKeeper.Heartbeat heartbeat) {
    Begin begin = attempts.begin(claim, attempt, host.worker());
    if (begin instanceof Begin.Ended ended) {
      return new Settlement.Ended(ended.outcome(), false);
    }
    Begun begun = (Begun) begin;
    Optional<String> refusal =
        begun.pipeline().definition().task() instanceof TaskSpec.Foreign
            ? Optional.of("another SDK runs its task, which this lane, being older, cannot ask for")
            : binding.refusal(begun.pipeline());
    return refusal.isPresent()
        ? attempts.fail(begun.token(), FailureKind.UNFIT_WORKER, Texts.error(refusal.get()), null)
        : work(begun, heartbeat);
  }

  private static PartitionOutcome outcome(Settlement settlement) {
    if (settlement instanceof Settlement.RetryIn retry) {
      throw ApplicationFailure.newBuilder()
          .setMessage(String.valueOf(retry.error()))
          .setType(RETRIED)
          .setNextRetryDelay(retry.pause())
          // The ledger has it, with the attempt: no news for the worker's log.
          .setCategory(ApplicationErrorCategory.BENIGN)
          .build();
    }
    return ((Settlement.Ended) settlement).outcome();
  }

  private Settlement work(Begun begun, LeaseKeeper.Heartbeat heartbeat) {
    try (AttemptOutput output = AttemptOutput.open(publisher, begun)) {
      Optional<EarlierCommit> earlier = output.earlierCommit(begun.context().intent());
      if (earlier.isPresent()) {
        return settleAsItStands(begun, earlier.get());
      }
      try (PartitionAttempt attempt = new PartitionAttempt(begun, output, attempts, keeper)) {
        return work(begun, attempt, heartbeat);
      }
    } catch (AttemptFailedException e) {
      host.failed(begun, e);
      return attempts.fail(begun.token(), e.kind(), e.error(), null);
    }
  }

  private Settlement work(Begun begun, PartitionAttempt attempt, LeaseKeeper.Heartbeat heartbeat) {
    try {
      Committed committed = attempt.run(observations, inputs, tasks, heartbeat);
      return host.committed(
          begun, committed, attempts.commit(begun.token(), committed, attempt.log()));
    } catch (AttemptFailedException e) {
      host.failed(begun, e);
      return attempts.fail(begun.token(), e.kind(), e.error(), attempt.log());
    }
  }

  private Settlement settleAsItStands(Begun begun, EarlierCommit earlier) {
    return settleAsItStands(attempts, begun, earlier);
  }

  /** The commit is complete and its attempt ended before it could say so (A45). */
  static Settlement settleAsItStands(Attempts attempts, Begun begun, EarlierCommit earlier) {
    attempts.observed(begun.token(), earlier.inputVersion(), earlier.beganAt());
    return attempts.commit(
        begun.token(), earlier.committed(), "published by an earlier attempt, settled by this one");
  }

  /**
   * Ends what still runs: each attempt settles as released, nothing spent. Called when the grace of
   * a shutdown is over.
   */
  @Override
  public void close() {
    keeper.close();
  }
}
