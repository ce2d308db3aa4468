package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.ledger.InputChange;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.util.ArrayList;
import java.util.List;

/**
 * The workflow of type TidemarkSweep: a {@link Pass}, or under the id of asked-for work {@link
 * AskedForWork}. Partitions run in lanes, its children, so that its own history stays short. A pass
 * never continues-as-new (that would end the cron of a cron workflow); asked-for work does.
 */
public final class SweepWorkflowImpl implements SweepWorkflow {
  private final Inbox inbox;
  private final SweepMode mode;

  @WorkflowInit
  public SweepWorkflowImpl(SweepInput input) {
    this.inbox = new Inbox(input.pipeline());
    this.mode =
        WorkflowIds.isManual(Workflow.getInfo().getWorkflowId())
            ? new AskedForWork(input, inbox)
            : new Pass(input);
  }

  /** Cancelled, it claims no more and ends; partitions that run finish in their lanes. */
  @Override
  public SweepReport run(SweepInput sameInput) {
    CancellationScope whole = CancellationScope.current();
    List<SweepReport> report = new ArrayList<>(1);
    Workflow.newDetachedCancellationScope(
            () -> {
              report.add(mode.run(whole));
              Workflow.await(Workflow::isEveryHandlerFinished);
            })
        .run();
    mode.show();
    return report.get(0);
  }

  @Override
  public BackfillView requestBackfill(BackfillRequest request) {
    return inbox.ask(request, false);
  }

  @Override
  public void checkBackfill(BackfillRequest request) {
    Inbox.check(request);
  }

  @Override
  public void signalBackfill(BackfillRequest request) {
    inbox.ask(request, true);
  }

  @Override
  public void changed(InputChange change) {
    inbox.changed(change);
  }

  @Override
  public void wake() {
    inbox.wake();
  }

  @Override
  public void laneProgress(LaneProgress progress) {
    mode.told(progress);
    mode.show();
  }

  @Override
  public Progress progress() {
    return mode.progress();
  }
}
