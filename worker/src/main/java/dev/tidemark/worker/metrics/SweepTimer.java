package dev.tidemark.worker.metrics;

import dev.tidemark.workflows.sweep.SweepInput;
import dev.tidemark.workflows.sweep.SweepWorkflow;
import dev.tidemark.workflows.sweep.WorkflowIds;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import io.temporal.workflow.unsafe.WorkflowUnsafe;
import java.time.Duration;

/**
 * Times sweeps in workflow time, once each: not when they are replayed. Asked-for work is no sweep:
 * it lives for as long as there is any.
 */
final class SweepTimer extends WorkerInterceptorBase {
  private final Metrics metrics;

  SweepTimer(Metrics metrics) {
    this.metrics = metrics;
  }

  @Override
  public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
    return new WorkflowInboundCallsInterceptorBase(next) {
      @Override
      public WorkflowOutput execute(WorkflowInput input) {
        WorkflowOutput output = super.execute(input);
        ended(Workflow.getInfo(), input.getArguments());
        return output;
      }
    };
  }

  private void ended(WorkflowInfo info, Object[] arguments) {
    boolean isSweep =
        info.getWorkflowType().equals(SweepWorkflow.TYPE)
            && !WorkflowIds.isManual(info.getWorkflowId())
            && !WorkflowUnsafe.isReplaying();
    if (isSweep && arguments.length > 0 && arguments[0] instanceof SweepInput sweep) {
      metrics.swept(
          sweep.pipeline(),
          sweep.trigger(),
          Duration.ofMillis(Workflow.currentTimeMillis() - info.getRunStartedTimestampMillis()));
    }
  }
}
