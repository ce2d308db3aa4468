package dev.tidemark.worker.metrics;

import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.ClaimResult;
import dev.tidemark.workflows.ledger.InputChange;
import dev.tidemark.workflows.ledger.LedgerActivities;
import dev.tidemark.workflows.ledger.Outlook;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.ledger.PlanRequest;
import dev.tidemark.workflows.ledger.SweepPlan;
import java.time.Duration;

/** The ledger as workflows use it, counted. */
final class CountedLedger implements LedgerActivities {
  private final LedgerActivities ledger;
  private final Metrics metrics;

  CountedLedger(LedgerActivities ledger, Metrics metrics) {
    this.ledger = ledger;
    this.metrics = metrics;
  }

  @Override
  public SweepPlan plan(PlanRequest request) {
    long began = System.nanoTime();
    boolean done = false;
    try {
      SweepPlan plan = ledger.plan(request);
      done = true;
      return plan;
    } finally {
      metrics.planned(request.pipeline(), done, since(began));
    }
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    long began = System.nanoTime();
    ClaimResult result = ledger.claim(request);
    metrics.claimed(request.pipeline(), result.claims().size(), since(began));
    return result;
  }

  @Override
  public BackfillView requestBackfill(
      String pipeline, BackfillRequest request, boolean recordRefusal) {
    return ledger.requestBackfill(pipeline, request, recordRefusal);
  }

  @Override
  public void changed(String pipeline, InputChange change) {
    ledger.changed(pipeline, change);
  }

  @Override
  public Outlook outlook(PlanRequest request) {
    return ledger.outlook(request);
  }

  @Override
  public PartitionOutcome settleTimeout(Claim claim, String error) {
    PartitionOutcome outcome = ledger.settleTimeout(claim, error);
    metrics.ended(claim.pipeline(), "timed_out");
    return outcome;
  }

  private static Duration since(long began) {
    return Duration.ofNanos(System.nanoTime() - began);
  }
}
