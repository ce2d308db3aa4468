package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.foreign.ForeignPartitions;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.ClaimResult;
import dev.tidemark.workflows.ledger.LedgerActivities;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.task.PartitionActivities;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A sliding window over claims: never waves, so that nothing waits for the slowest. A claim takes
 * as many as got free by the workflow task that claims; the busier the lane, the more. Its history
 * is bounded by {@link LaneInput#maxClaims()}; it never continues-as-new.
 */
public final class LaneWorkflowImpl implements LaneWorkflow {
  private static final Duration REFILL_DELAY = Duration.ofMillis(50);

  private final LedgerActivities ledger = ActivityPolicies.ledger();
  private final LedgerActivities claiming = ActivityPolicies.claiming();
  private final LedgerActivities claimingLocally = ActivityPolicies.claimingLocally();
  private final ForeignPartitions foreign = new ForeignPartitions();
  private final String id = Workflow.getInfo().getWorkflowId();
  private final CancellationScope whole = CancellationScope.current();
  private final LaneInput input;
  private final LaneTally tally;
  private int window;
  private int running;

  /** Partitions that ended since the last claim. */
  private int freed;

  private int claimRequests;

  /** False for a lane that began before there were local claims. */
  private boolean claimsLocally;

  /** False for a lane that began before tasks could be run by other SDKs. */
  private boolean runsForeign;

  /** A claim may find something: the last one got all it wanted, or something changed since. */
  private boolean hungry = true;

  private boolean stopped;

  @WorkflowInit
  public LaneWorkflowImpl(LaneInput input) {
    this.input = input;
    this.window = input.parallel();
    this.tally = new LaneTally(input.maxClaims());
  }

  @Override
  public LaneProgress run(LaneInput sameInput) {
    // Detached: cancelling a lane stops its claiming; what runs finishes.
    Workflow.newDetachedCancellationScope(this::claimAndDrain).run();
    return tally.progress();
  }

  @Override
  public void look() {
    hungry = true;
  }

  @Override
  public void stop() {
    stopped = true;
  }

  private void claimAndDrain() {
    claimsLocally =
        Workflow.getVersion("local-claims", Workflow.DEFAULT_VERSION, 1)
            != Workflow.DEFAULT_VERSION;
    runsForeign =
        Workflow.getVersion("foreign-tasks", Workflow.DEFAULT_VERSION, 1)
            != Workflow.DEFAULT_VERSION;
    TakenRange range = new TakenRange();
    while (running > 0 || mayClaim()) {
      if (mayClaim() && running < window) {
        claim(range);
      }
      awaitTurn();
    }
    range.show();
  }

  private boolean mayClaim() {
    return hungry
        && !stopped
        && !whole.isCancelRequested()
        && tally.mayStillClaim() > 0
        && !isTooLate();
  }

  private boolean isTooLate() {
    Instant deadline = input.deadline();
    return deadline != null && Workflow.currentTimeMillis() >= deadline.toEpochMilli();
  }

  private void awaitTurn() {
    Workflow.await(() -> running == 0 || (mayClaim() && running < window));
    if (!claimsLocally && freed > 0 && running > 0 && mayClaim()) {
      Workflow.await(REFILL_DELAY, () -> running == 0 || freed >= Math.max(1, window / 4));
    }
  }

  private void claim(TakenRange range) {
    int want = Math.min(window - running, tally.mayStillClaim());
    freed = 0;
    hungry = false;
    ClaimResult result;
    try {
      result =
          claim(
              new ClaimRequest(
                  nextRequest(),
                  input.pipeline(),
                  input.scope(),
                  input.now(),
                  want,
                  input.sweep()));
    } catch (ActivityFailure refused) {
      // Retried for as long as that could help: the pipeline is gone. What runs settles itself.
      Workflow.getLogger(LaneWorkflowImpl.class).warn("{} claims no more", id, refused);
      stopped = true;
      return;
    }
    window = Math.max(1, result.policy().parallel());
    // Fewer than wanted means that there is no more until something ends, or someone says look.
    hungry |= result.claims().size() == want;
    tally.claimed(result.claims());
    range.took(result.claims());
    result.claims().forEach(claim -> start(claim, result.policy()));
  }

  /** The same request both times: what the first one took and could not say, the second returns. */
  private ClaimResult claim(ClaimRequest request) {
    if (claimsLocally) {
      try {
        return claimingLocally.claim(request);
      } catch (ActivityFailure e) {
        Workflow.getLogger(LaneWorkflowImpl.class).debug("{} claims as an activity", id, e);
      }
    }
    return claiming.claim(request);
  }

  /** Unique, and short: it is part of every claim that goes through Temporal and the ledger. */
  private String nextRequest() {
    return Workflow.getInfo().getOriginalExecutionRunId() + "/" + ++claimRequests;
  }

  private void start(Claim claim, ClaimResult.LanePolicy policy) {
    running++;
    run(claim, policy)
        .handle(
            (outcome, lost) -> lost == null ? Workflow.newPromise(outcome) : settle(claim, lost))
        .thenCompose(outcome -> outcome)
        .handle((outcome, unsettled) -> ended(claim, outcome));
  }

  private Promise<PartitionOutcome> run(Claim claim, ClaimResult.LanePolicy policy) {
    if (runsForeign && policy.foreign()) {
      return foreign.run(claim);
    }
    PartitionActivities partition = ActivityPolicies.partition(policy, claim);
    return Async.function(partition::run, claim);
  }

  private Promise<PartitionOutcome> settle(Claim claim, RuntimeException lost) {
    Throwable cause = lost.getCause() == null ? lost : lost.getCause();
    return Async.function(ledger::settleTimeout, claim, String.valueOf(cause.getMessage()));
  }

  private @Nullable Void ended(Claim claim, @Nullable PartitionOutcome outcome) {
    running--;
    freed++;
    hungry = true;
    tally.ended(claim, outcome == null ? PartitionOutcome.Kind.FAILED : outcome.kind());
    return null;
  }
}
