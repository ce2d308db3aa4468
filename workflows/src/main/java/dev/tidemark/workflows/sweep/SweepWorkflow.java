package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.ledger.InputChange;
import io.temporal.workflow.QueryMethod;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.UpdateMethod;
import io.temporal.workflow.UpdateValidatorMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * One pass over a pipeline, or, under the id {@code tidemark/<pipeline>/manual}, the work that
 * people asked for, until nothing of it is left.
 */
@WorkflowInterface
public interface SweepWorkflow {
  String TYPE = "TidemarkSweep";

  @WorkflowMethod(name = TYPE)
  SweepReport run(SweepInput input);

  /** Asks for a range and answers with the backfill, or refuses. */
  @UpdateMethod(name = "requestBackfill")
  BackfillView requestBackfill(BackfillRequest request);

  @UpdateValidatorMethod(updateName = "requestBackfill")
  void checkBackfill(BackfillRequest request);

  /** Asks for a range; one that cannot be accepted leaves a backfill in state rejected. */
  @SignalMethod(name = "requestBackfill")
  void signalBackfill(BackfillRequest request);

  /** The input of a partition changed; what that makes late runs at once. */
  @SignalMethod(name = "changed")
  void changed(InputChange change);

  /** Something became claimable: look now, at everything, not at the next tick. */
  @SignalMethod(name = "wake")
  void wake();

  /** A lane says how far it is; one that is full drains on its own, and the next one starts. */
  @SignalMethod(name = "laneProgress")
  void laneProgress(LaneProgress progress);

  @QueryMethod(name = "progress")
  Progress progress();
}
