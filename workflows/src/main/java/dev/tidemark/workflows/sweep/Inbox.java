package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.ledger.InputChange;
import dev.tidemark.workflows.ledger.LedgerActivities;
import dev.tidemark.workflows.ledger.Refusal;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;

/**
 * What people and other workflows ask of this one. A request is in the ledger before it is
 * answered; any workflow of the pipeline takes it, and the one for asked-for work sees to it.
 */
final class Inbox {
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
        HandOver.toManual(pipeline, identified);
      }
      return view;
    } finally {
      settled++;
    }
  }

  /** Notes the change, then wakes; one that is refused is said in the log, where nobody waits. */
  void changed(InputChange change) {
    received++;
    try {
      ledger.changed(pipeline, change);
      woken = true;
    } catch (ActivityFailure refused) {
      Workflow.getLogger(Inbox.class).warn("{}: {} is not noted", pipeline, change, refused);
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

  private static ApplicationFailure refusal(String message) {
    return ApplicationFailure.newNonRetryableFailure(message, Refusal.INVALID);
  }
}
