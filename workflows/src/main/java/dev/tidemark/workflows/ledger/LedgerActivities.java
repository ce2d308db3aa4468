package dev.tidemark.workflows.ledger;

import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** What workflows ask of the ledger. Each is one short transaction or a few, and idempotent. */
@ActivityInterface
public interface LedgerActivities {

  /** Brings the expected set up to date, observes inputs, counts what is due. */
  @ActivityMethod(name = "TidemarkPlan")
  SweepPlan plan(PlanRequest request);

  /** Takes due partitions, within every limit and gate. */
  @ActivityMethod(name = "TidemarkClaim")
  ClaimResult claim(ClaimRequest request);

  /**
   * Pins the list of a backfill. Idempotent by request id. Fails without retry with a {@link
   * Refusal} type where it cannot be accepted; where {@code recordRefusal} is set, it leaves a
   * backfill in state rejected instead and returns that.
   */
  @ActivityMethod(name = "TidemarkRequestBackfill")
  BackfillView requestBackfill(String pipeline, BackfillRequest request, boolean recordRefusal);

  /**
   * Notes that the input of a partition changed. Fails without retry with a {@link Refusal} type
   * where the pipeline has no such partition or slice.
   */
  @ActivityMethod(name = "TidemarkChanged")
  void changed(String pipeline, InputChange change);

  /** What is left to do, and when to look again. */
  @ActivityMethod(name = "TidemarkOutlook")
  Outlook outlook(PlanRequest request);

  /**
   * Settles a claim for which Temporal reported a timeout or a lost activity: its attempts cannot
   * any more.
   */
  @ActivityMethod(name = "TidemarkSettleTimeout")
  PartitionOutcome settleTimeout(Claim claim, String error);
}
