package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.ledger.LedgerActivities;
import dev.tidemark.workflows.ledger.Refusal;
import io.temporal.api.enums.v1.ParentClosePolicy;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.ChildWorkflowOptions;
import io.temporal.workflow.SignalExternalWorkflowException;
import io.temporal.workflow.Workflow;

/**
 * What people and other workflows ask of this one. A request is in the ledger before it is
 * answered; any workflow of the pipeline takes it, and the one for asked-for work sees to it.
 */
final class Inbox {
  private static final int HAND_OVER_TRIES = 3;

  private final LedgerActivities ledger = ActivityPolicies.ledger();
  private final String pipeline;
  private int received;
  private int settled;
  private boolean woken;

  Inbox(String pipeline) {
    this.pipeline = pipeline;
  }

  /** Refuses what can be seen to be wrong without the ledger. */
  static void check(BackfillRequest request) {
    if (request.from().isBlank() || request.to().isBlank()) {
      throw refusal(
          "a backfill request needs 'from' and 'to', the labels of its first and last partition");
    }
    Integer parallel = request.parallel();
    if (parallel != null && parallel < 1) {
      throw refusal("'parallel' must be at least 1: " + parallel);
    }
  }

  /**
   * Puts the request into the ledger.
   *
   * @param recordRefusal whether a refusal becomes a rejected backfill, because nobody waits for it
   */
  BackfillView ask(BackfillRequest request, boolean recordRefusal) {
    received++;
    try {
      BackfillRequest identified = request.identifiedBy(Workflow.randomUUID().toString());
      BackfillView view = ledger.requestBackfill(pipeline, identified, recordRefusal);
      if (!WorkflowIds.isManual(Workflow.getInfo().getWorkflowId())
          && view.state() != BackfillView.State.REJECTED) {
        handOver(identified);
      }
      return view;
    } finally {
      settled++;
    }
  }

  void wake() {
    received++;
    woken = true;
  }

  /** Whether somebody said wake since this was last asked. */
  boolean takeWake() {
    boolean was = woken;
    woken = false;
    return was;
  }

  boolean isWoken() {
    return woken;
  }

  /** Whether no request is on its way into the ledger and nobody said wake. */
  boolean isQuiet() {
    return !woken && Workflow.isEveryHandlerFinished();
  }

  /** Requests and wake-ups so far. */
  int received() {
    return received;
  }

  /** Requests that the ledger has, or has refused. */
  int settled() {
    return settled;
  }

  /** Starts the workflow for asked-for work, or tells it if it runs. */
  private void handOver(BackfillRequest request) {
    String manual = WorkflowIds.manual(pipeline);
    for (int i = 0; i < HAND_OVER_TRIES; i++) {
      try {
        start(manual);
        return;
      } catch (TemporalFailure running) {
        try {
          Workflow.newExternalWorkflowStub(SweepWorkflow.class, manual).signalBackfill(request);
          return;
        } catch (SignalExternalWorkflowException ended) {
          Workflow.getLogger(Inbox.class).debug("{} has just ended", manual);
        }
      }
    }
    // The ledger has the request: the next sweep runs it.
    Workflow.getLogger(Inbox.class).warn("{} could be neither started nor told", manual);
  }

  private void start(String manual) {
    SweepWorkflow asked =
        Workflow.newChildWorkflowStub(
            SweepWorkflow.class,
            ChildWorkflowOptions.newBuilder()
                .setWorkflowId(manual)
                .setParentClosePolicy(ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON)
                .setTypedSearchAttributes(Attributes.forChild(pipeline, Trigger.MANUAL))
                .build());
    Async.function(asked::run, new SweepInput(pipeline, Trigger.MANUAL, null))
        .exceptionally(alreadyHandled -> null);
    Workflow.getWorkflowExecution(asked).get();
  }

  private static ApplicationFailure refusal(String message) {
    return ApplicationFailure.newNonRetryableFailure(message, Refusal.INVALID);
  }
}
