package dev.tidemark.workflows.sweep;

import io.temporal.api.enums.v1.ParentClosePolicy;
import io.temporal.failure.TemporalException;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.ChildWorkflowOptions;
import io.temporal.workflow.Functions;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;

/** A lane as its sweep sees it. */
record Lane(String id, LaneWorkflow workflow) {

  /** A lane that is abandoned when the sweep ends, never ended with it. */
  static Lane of(SweepInput sweep, String id) {
    ChildWorkflowOptions options =
        ChildWorkflowOptions.newBuilder()
            .setWorkflowId(id)
            .setParentClosePolicy(ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON)
            .setTypedSearchAttributes(Attributes.forChild(sweep.pipeline(), sweep.trigger()))
            // Both or none: the SDK cannot describe what has only one of them.
            .setStaticSummary("lane of " + sweep.pipeline())
            .setStaticDetails("Claims and runs partitions of pipeline " + sweep.pipeline() + ".")
            .build();
    return new Lane(id, Workflow.newChildWorkflowStub(LaneWorkflow.class, options));
  }

  /** Its result. */
  Promise<LaneProgress> start(LaneInput input) {
    return Async.function(workflow::run, input);
  }

  /** A lane that has not started when the sweep ends is not abandoned, but forgotten. */
  void awaitStart() {
    try {
      Workflow.getWorkflowExecution(workflow).get();
    } catch (TemporalFailure notStarted) {
      Workflow.getLogger(Lane.class).warn("{} did not start", id, notStarted);
    }
  }

  /** Claim again now. */
  void look() {
    tell(workflow::look);
  }

  /** Claim no more. */
  void stop() {
    tell(workflow::stop);
  }

  private void tell(Functions.Proc message) {
    try {
      message.apply();
    } catch (TemporalException justEnded) {
      // Whatever its type: one that is let through would fail the whole workflow.
      Workflow.getLogger(Lane.class).debug("{} ended before it was told", id, justEnded);
    }
  }
}
