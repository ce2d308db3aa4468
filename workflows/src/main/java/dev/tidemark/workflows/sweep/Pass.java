package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.ledger.LedgerActivities;
import dev.tidemark.workflows.ledger.PlanRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.ledger.SweepPlan;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One sweep: plan what is due, run it in lanes, report. A scheduled one ends at its duration limit
 * with a report so far; one by hand waits for the partitions that it started.
 */
final class Pass implements SweepMode {
  private final LedgerActivities ledger = ActivityPolicies.ledger();
  private final LedgerActivities planning = ActivityPolicies.planning();
  private final SweepInput input;
  private final PlanRequest request;
  private final Lanes lanes;
  private String state = "planning";
  private @Nullable SweepPlan plan;

  Pass(SweepInput input) {
    this.input = input;
    this.request = new PlanRequest(input.pipeline(), Scope.ALL, input.now());
    this.lanes = new Lanes(input, Scope.ALL);
  }

  @Override
  public SweepReport run(CancellationScope whole) {
    SweepPlan current = begin();
    if (lanes.areDone()) {
      return SweepReport.of(progress(), current.now(), current.planned(), current.paused());
    }
    Instant end = now().plusSeconds(current.maxDurationSeconds());
    boolean inTime = true;
    while (inTime && !isOver() && !whole.isCancelRequested()) {
      lanes.rollOver();
      inTime = await(end, () -> lanes.areDone() || lanes.isNextDue() || whole.isCancelRequested());
    }
    if (whole.isCancelRequested()) {
      lanes.stop();
    }
    // What was not ready was due, and is not done: it waits for its next attempt.
    int remaining = ledger.outlook(request).claimable() + lanes.sum(LaneProgress::notReady);
    state = "done";
    return SweepReport.of(progress(), current.now(), remaining, current.paused());
  }

  private boolean isOver() {
    return lanes.areDone() && !lanes.isNextDue();
  }

  /** Plans, and starts a lane if something is due and live work is not paused. */
  SweepPlan begin() {
    SweepPlan current = planning.plan(request);
    plan = current;
    state = current.paused() ? "paused" : "running";
    if (!current.paused() && current.planned() > 0) {
      Instant deadline = now().plusSeconds(current.maxDurationSeconds());
      lanes.open(current.parallel(), current.maxPartitions(), deadline);
    }
    show();
    return current;
  }

  Lanes lanes() {
    return lanes;
  }

  @Override
  public void told(LaneProgress report) {
    lanes.told(report);
  }

  @Override
  public Progress progress() {
    return new Progress(
        input.pipeline(),
        state,
        plan == null ? 0 : plan.planned(),
        lanes.sum(LaneProgress::claimed),
        lanes.sum(LaneProgress::completed),
        lanes.sum(LaneProgress::failed) + lanes.sum(LaneProgress::parked),
        lanes.oldest());
  }

  private boolean await(Instant end, Supplier<Boolean> changed) {
    if (input.trigger() == Trigger.MANUAL) {
      Workflow.await(changed);
      return true;
    }
    Duration left = Duration.between(now(), end);
    return left.compareTo(Duration.ZERO) > 0 && Workflow.await(left, changed);
  }

  private static Instant now() {
    return Instant.ofEpochMilli(Workflow.currentTimeMillis());
  }
}
