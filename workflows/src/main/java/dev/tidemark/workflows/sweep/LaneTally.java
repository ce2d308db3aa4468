package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.task.PartitionOutcome;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.workflow.Async;
import io.temporal.workflow.Workflow;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Counts what a lane did, and tells the sweep now and then. */
final class LaneTally {
  private static final long TELL_EVERY_MILLIS = 2_000;

  private final String lane;
  private final int maxClaims;
  private final @Nullable SweepWorkflow parent = parent().orElse(null);
  private int claimed;
  private int completed;
  private int failed;
  private int parked;
  private boolean parentIsGone;
  private LaneProgress told;
  private long toldAt = Workflow.currentTimeMillis();

  LaneTally(String lane, int maxClaims) {
    this.lane = lane;
    this.maxClaims = maxClaims;
    this.told = progress();
  }

  void claimed() {
    claimed++;
  }

  void ended(PartitionOutcome.Kind kind) {
    switch (kind) {
      case COMMITTED -> completed++;
      case FAILED -> failed++;
      case PARKED -> parked++;
      // Neither done nor failed: whoever takes the row next says so.
      case NOT_READY, RELEASED -> {}
    }
    Workflow.setCurrentDetails(
        "%d claimed, %d done, %d failed, %d parked".formatted(claimed, completed, failed, parked));
  }

  int mayStillClaim() {
    return maxClaims - claimed;
  }

  boolean isFull() {
    return claimed >= maxClaims;
  }

  LaneProgress progress() {
    return new LaneProgress(lane, claimed, completed, failed, parked, isFull());
  }

  boolean hasNewsForParent() {
    return parent != null
        && !parentIsGone
        && (isFull() != told.full()
            || (progress().steps() > told.steps()
                && Workflow.currentTimeMillis() - toldAt >= TELL_EVERY_MILLIS));
  }

  /** Does not wait: the sweep also gets the lane's result, so that nothing depends on this. */
  void tellParent() {
    if (parent == null || !hasNewsForParent()) {
      return;
    }
    told = progress();
    toldAt = Workflow.currentTimeMillis();
    Async.procedure(parent::laneProgress, told)
        .exceptionally(
            ended -> {
              // It reached its duration limit, or continued as new; the lane goes on without it.
              parentIsGone = true;
              return null;
            });
  }

  /** By its run, so that a later run under the same id is not told of a lane it does not know. */
  private static Optional<SweepWorkflow> parent() {
    return Workflow.getInfo()
        .getParentWorkflowId()
        .map(
            id ->
                Workflow.newExternalWorkflowStub(
                    SweepWorkflow.class,
                    WorkflowExecution.newBuilder()
                        .setWorkflowId(id)
                        .setRunId(Workflow.getInfo().getParentRunId().orElse(""))
                        .build()));
  }
}
