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
import dev.tidemark.workflows.foreign.ForeignFailure;
import dev.tidemark.workflows.foreign.ForeignInput;
import dev.tidemark.workflows.foreign.ForeignResult;
import dev.tidemark.workflows.foreign.ForeignSettled;
import dev.tidemark.workflows.foreign.ForeignStart;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.pipeline.TaskSpec;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two ends of a partition whose task another SDK runs in between: begin and read versions;
 * publish and settle. They may be on two workers, so that what the first knows comes back from the
 * ledger, by its token.
 */
final class ForeignRunner implements ForeignActivities {
  private static final Logger LOG = LoggerFactory.getLogger(ForeignRunner.class);

  /** A lane whose workers all stopped for less than this finds its claims as they were. */
  private static final Duration MARGIN = Duration.ofMinutes(10);

  private static final int UNBEGUN = 2;

  private final Attempts attempts;
  private final Observations observations;
  private final InputVersions inputs;
  private final Publisher publisher;
  private final RunnerHost host;
  private final LeaseKeeper keeper;

  ForeignRunner(
      Attempts attempts,
      Observations observations,
      InputVersions inputs,
      Publisher publisher,
      RunnerHost host,
      LeaseKeeper keeper) {
    this.attempts = attempts;
    this.observations = observations;
    this.inputs = inputs;
    this.publisher = publisher;
    this.host = host;
    this.keeper = keeper;
  }

  /** One that was begun and could not say so is superseded by Temporal's next try. */
  @Override
  public ForeignStart begin(Claim claim, int after) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    int number = after + activity.getInfo().getAttempt();
    Begin begin = attempts.begin(claim, number, host.worker());
    if (begin instanceof Begin.Ended ended) {
      return ForeignStart.settled(number, new ForeignSettled(ended.outcome(), null));
    }
    Begun begun = (Begun) begin;
    if (!(begun.pipeline().definition().task() instanceof TaskSpec.Foreign task)) {
      return ForeignStart.settled(
          number,
          settled(claim, fail(begun.token(), FailureKind.RELEASED, "its task is another by now")));
    }
    try (AttemptOutput output = AttemptOutput.open(publisher, begun)) {
      Optional<EarlierCommit> earlier = output.earlierCommit(begun.context().intent());
      if (earlier.isPresent()) {
        Settlement asItStands = PartitionRunner.settleAsItStands(attempts, begun, earlier.get());
        return ForeignStart.settled(number, settled(claim, asItStands));
      }
      ForeignInput input = prepare(begun, output, activity);
      attempts.lease(begun.token(), task.startWithin().plus(task.timeout()).plus(MARGIN));
      return ForeignStart.run(task, input);
    } catch (AttemptFailedException e) {
      host.failed(begun, e);
      return ForeignStart.settled(number, settled(claim, fail(begun.token(), e.kind(), e.error())));
    }
  }

  private ForeignInput prepare(Begun begun, AttemptOutput output, ActivityExecutionContext activity)
      throws AttemptFailedException {
    try (PartitionAttempt attempt = new PartitionAttempt(begun, output, attempts, keeper)) {
      return attempt.prepare(observations, inputs, () -> activity.heartbeat(null));
    }
  }

  @Override
  public ForeignSettled publish(Claim claim, long token, ForeignResult result) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    Optional<Begun> begun = attempts.resume(token);
    return settled(
        claim,
        begun.isPresent()
            ? publish(begun.get(), result, () -> activity.heartbeat(null))
            : fail(token, FailureKind.RELEASED, "no longer the newest attempt"));
  }

  private Settlement publish(Begun begun, ForeignResult result, LeaseKeeper.Heartbeat heartbeat) {
    try (AttemptOutput output = AttemptOutput.open(publisher, begun);
        PartitionAttempt attempt = new PartitionAttempt(begun, output, attempts, keeper)) {
      Committed committed = attempt.publish(result, heartbeat);
      return host.committed(begun, committed, attempts.commit(begun.token(), committed, null));
    } catch (AttemptFailedException e) {
      host.failed(begun, e);
      return fail(begun.token(), e.kind(), e.error());
    }
  }

  @Override
  public ForeignSettled fail(Claim claim, long token, ForeignFailure failure) {
    Optional<Begun> begun = attempts.resume(token);
    ForeignSettled settled =
        switch (failure.kind()) {
          case FAILED -> settled(claim, fail(token, FailureKind.ERROR, failure.error()));
          case BAD_DATA -> settled(claim, fail(token, FailureKind.BAD_DATA, failure.error()));
          case NOT_READY -> settled(claim, fail(token, FailureKind.NOT_READY, failure.error()));
          case NO_WORKER -> settled(claim, fail(token, FailureKind.NO_WORKER, failure.error()));
          case CANCELLED -> settled(claim, fail(token, FailureKind.RELEASED, failure.error()));
          case LOST -> new ForeignSettled(attempts.settleTimeout(claim, failure.error()), null);
        };
    begun.ifPresent(this::discard);
    return settled;
  }

  /** What is left here is taken away by the next attempt, or once it is old. */
  private void discard(Begun begun) {
    try (AttemptOutput output = AttemptOutput.open(publisher, begun)) {
      output.take(null);
    } catch (AttemptFailedException e) {
      LOG.warn("cannot take away what attempt {} wrote", begun.token(), e);
    }
  }

  @Override
  public List<Long> held(List<Long> tokens) {
    return attempts.held(tokens);
  }

  /** Before its first task is taken up, a history has two events: started, and scheduled. */
  @Override
  public boolean isBegun(String workflowId) {
    WorkflowClient client = Activity.getExecutionContext().getWorkflowClient();
    return client.newUntypedWorkflowStub(workflowId).describe().getHistoryLength() > UNBEGUN;
  }

  private Settlement fail(long token, FailureKind kind, String error) {
    return attempts.fail(token, kind, Texts.error(error), null);
  }

  private ForeignSettled settled(Claim claim, Settlement settlement) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    host.wakes().settled(claim, settlement, new WakeSignals(activity));
    if (settlement instanceof Settlement.RetryIn retry) {
      return new ForeignSettled(null, retry.pause().toMillis());
    }
    return new ForeignSettled(((Settlement.Ended) settlement).outcome(), null);
  }
}
