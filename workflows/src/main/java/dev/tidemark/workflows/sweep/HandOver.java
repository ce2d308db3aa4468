package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.backfill.BackfillRequest;
import io.temporal.api.enums.v1.ParentClosePolicy;
import io.temporal.failure.TemporalException;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.ChildWorkflowOptions;
import io.temporal.workflow.Workflow;

/**
 * Hands a request that reached a sweep over to the workflow for asked-for work. A workflow cannot
 * signal another with start, hence the two steps.
 */
final class HandOver {
  private static final int TRIES = 3;

  private HandOver() {}

  /** Starts it, or tells it if it runs; the request has an id, so that twice does no harm. */
  static void toManual(String pipeline, BackfillRequest request) {
    String manual = WorkflowIds.manual(pipeline);
    for (int i = 0; i < TRIES; i++) {
      if (start(pipeline, manual) || tell(manual, request)) {
        return;
      }
    }
    // The ledger has the request: the next sweep runs it.
    Workflow.getLogger(HandOver.class).warn("{} could be neither started nor told", manual);
  }

  private static boolean start(String pipeline, String manual) {
    SweepWorkflow asked =
        Workflow.newChildWorkflowStub(
            SweepWorkflow.class,
            ChildWorkflowOptions.newBuilder()
                .setWorkflowId(manual)
                .setParentClosePolicy(ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON)
                .setTypedSearchAttributes(Attributes.forChild(pipeline, Trigger.MANUAL))
                .setStaticSummary("what people asked of " + pipeline)
                .setStaticDetails("Runs what was asked for of pipeline " + pipeline + ".")
                .build());
    // How it ends is its own affair.
    Async.function(asked::run, new SweepInput(pipeline, Trigger.MANUAL, null))
        .exceptionally(ended -> null);
    try {
      Workflow.getWorkflowExecution(asked).get();
      return true;
    } catch (TemporalFailure runsAlready) {
      return false;
    }
  }

  private static boolean tell(String manual, BackfillRequest request) {
    try {
      Workflow.newExternalWorkflowStub(SweepWorkflow.class, manual).signalBackfill(request);
      return true;
    } catch (TemporalException hasJustEnded) {
      return false;
    }
  }
}
