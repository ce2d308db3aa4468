package dev.tidemark.workflows.foreign;

import dev.tidemark.workflows.foreign.ForeignFailure.Kind;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.pipeline.TaskSpec;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of one lane whose task a worker of another SDK runs: begin here, the task there,
 * publish and settle here. Between them nothing is kept but the workflow's history, so that any
 * worker can go on. Each attempt has a token of its own: Temporal retries neither the task nor the
 * publishing, but the whole of it comes again for as long as the ledger says so.
 */
public final class ForeignPartitions {
  private final ForeignActivities begin = ForeignPolicies.begin();
  private final ForeignActivities publish = ForeignPolicies.publish();
  private final ForeignActivities settle = ForeignPolicies.settle();
  private final ForeignWatch watch = new ForeignWatch();

  /** Tokens of workflows that no worker took. */
  private final Set<Long> abandoned = new TreeSet<>();

  /**
   * Runs a claim to its end. Fails where an activity of ours does for good: then nobody can settle
   * the attempt any more.
   */
  public Promise<PartitionOutcome> run(Claim claim) {
    return attempt(claim, 0);
  }

  private Promise<PartitionOutcome> attempt(Claim claim, int after) {
    return Detached.run(() -> Async.function(begin::begin, claim, after))
        .thenCompose(
            start -> {
              TaskSpec.Foreign task = start.task();
              ForeignInput input = start.input();
              ForeignSettled settled = start.settled();
              if (task != null && input != null) {
                return task(claim, task, input).thenCompose(end -> next(claim, start, end));
              }
              if (settled != null) {
                return next(claim, start, settled);
              }
              throw Workflow.wrap(new IllegalStateException("begin answered nothing"));
            });
  }

  private Promise<ForeignSettled> task(Claim claim, TaskSpec.Foreign task, ForeignInput input) {
    long token = input.token();
    Detached<@Nullable ForeignResult> running = Detached.start(() -> start(claim, task, input));
    watch.started(token, running.scope());
    if (task instanceof TaskSpec.Workflow) {
      giveUpUnlessBegun(claim, task, token, running);
    }
    return running
        .promise()
        .handle(
            (result, failure) -> {
              watch.ended(token);
              if (failure != null) {
                boolean isAbandoned = abandoned.remove(token);
                return fail(
                    claim,
                    token,
                    isAbandoned
                        ? ForeignFailures.noWorker(task)
                        : ForeignFailures.of(task, failure));
              }
              return publish(claim, token, result == null ? ForeignResult.NONE : result);
            })
        .thenCompose(settled -> settled);
  }

  /** Temporal has no such bound for a workflow: one that nobody runs would wait for its timeout. */
  private void giveUpUnlessBegun(
      Claim claim, TaskSpec.Foreign task, long token, Detached<@Nullable ForeignResult> running) {
    String id = ForeignPolicies.workflowId(claim, token);
    Detached.run(() -> Workflow.newTimer(task.startWithin()))
        .thenCompose(
            passed ->
                running.promise().isCompleted()
                    ? Workflow.newPromise(true)
                    : Detached.run(() -> Async.function(settle::isBegun, id)))
        .thenApply(
            begun -> {
              if (!begun && !running.promise().isCompleted()) {
                abandoned.add(token);
                running.scope().cancel("no worker took it");
              }
              return begun;
            });
  }

  private static Promise<@Nullable ForeignResult> start(
      Claim claim, TaskSpec.Foreign task, ForeignInput input) {
    if (task instanceof TaskSpec.Activity activity) {
      return Workflow.newUntypedActivityStub(ForeignPolicies.activity(claim, activity))
          .executeAsync(task.type(), ForeignResult.class, input);
    }
    return Workflow.newUntypedChildWorkflowStub(
            task.type(), ForeignPolicies.workflow(claim, (TaskSpec.Workflow) task, input.token()))
        .executeAsync(ForeignResult.class, input);
  }

  private Promise<ForeignSettled> publish(Claim claim, long token, ForeignResult result) {
    if (result.isTooLarge()) {
      return fail(
          claim,
          token,
          ForeignFailures.failure(
              Kind.FAILED, "its result lists more names than fit: leave out 'files'"));
    }
    return Detached.run(() -> Async.function(publish::publish, claim, token, result));
  }

  private Promise<ForeignSettled> fail(Claim claim, long token, ForeignFailure failure) {
    return Detached.run(() -> Async.function(settle::fail, claim, token, failure));
  }

  private Promise<PartitionOutcome> next(Claim claim, ForeignStart start, ForeignSettled settled) {
    PartitionOutcome outcome = settled.outcome();
    if (outcome != null) {
      return Workflow.newPromise(outcome);
    }
    Long pause = settled.retryInMillis();
    return Detached.run(() -> Workflow.newTimer(Duration.ofMillis(pause == null ? 0 : pause)))
        .thenCompose(passed -> attempt(claim, start.attempt()));
  }
}
