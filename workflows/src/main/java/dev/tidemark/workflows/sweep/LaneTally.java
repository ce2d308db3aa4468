package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.workflow.Async;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts what a lane did, and tells its sweep: at once when the lane is full, else soon. Nothing
 * depends on a telling: the sweep gets the lane's result as well.
 */
final class LaneTally {
  private static final Duration TELL_WITHIN = Duration.ofSeconds(2);

  private final String lane = Workflow.getInfo().getWorkflowId();
  private final int maxClaims;
  private final @Nullable SweepWorkflow sweep = parent(Workflow.getInfo());
  private final OpenPartitions open = new OpenPartitions();
  private int claimed;
  private int completed;
  private int failed;
  private int parked;
  private int notReady;
  private boolean tellsSoon;
  private boolean sweepIsGone;

  LaneTally(int maxClaims) {
    this.maxClaims = maxClaims;
  }

  void claimed(List<Claim> claims) {
    if (!claims.isEmpty()) {
      claimed += claims.size();
      claims.forEach(open::took);
      if (mayStillClaim() == 0) {
        tell();
      }
      changed();
    }
  }

  void ended(Claim claim, PartitionOutcome.Kind kind) {
    switch (kind) {
      case COMMITTED -> {
        completed++;
        open.committed(claim);
      }
      case FAILED -> failed++;
      case PARKED -> parked++;
      case NOT_READY -> notReady++;
      // Neither done nor failed: whoever takes the row next says so.
      case RELEASED -> {}
    }
    changed();
  }

  int mayStillClaim() {
    return maxClaims - claimed;
  }

  LaneProgress progress() {
    return new LaneProgress(
        lane, claimed, completed, failed, parked, notReady, mayStillClaim() == 0, open.oldest());
  }

  private void changed() {
    Workflow.setCurrentDetails(
        "%d claimed, %d done, %d failed, %d parked%s"
            .formatted(claimed, completed, failed, parked, OpenPartitions.oldest(open.oldest())));
    if (!tellsSoon) {
      tellsSoon = true;
      Workflow.newTimer(TELL_WITHIN).thenApply(passed -> tell());
    }
  }

  private @Nullable Void tell() {
    tellsSoon = false;
    if (sweep != null && !sweepIsGone) {
      Async.procedure(sweep::laneProgress, progress())
          .exceptionally(
              ended -> {
                // It reached its duration limit, or continued as new; the lane goes on without it.
                sweepIsGone = true;
                return null;
              });
    }
    return null;
  }

  /** By its run: a later one under the same id does not know this lane. */
  private static @Nullable SweepWorkflow parent(WorkflowInfo info) {
    return info.getParentWorkflowId()
        .map(
            id ->
                Workflow.newExternalWorkflowStub(
                    SweepWorkflow.class,
                    WorkflowExecution.newBuilder()
                        .setWorkflowId(id)
                        .setRunId(info.getParentRunId().orElse(""))
                        .build()))
        .orElse(null);
  }
}
