package dev.tidemark.activities.sweep;

import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.activities.ledger.WakeFlags;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.publish.Verification;
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
import dev.tidemark.workflows.ledger.Refusal;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.ledger.SweepPlan;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Limits;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import java.util.function.Supplier;

/**
 * The ledger as workflows use it. Refusals cross Temporal as failures that no retry follows, with a
 * type of {@link Refusal}, the field as their detail where one is at fault; faults are left to
 * Temporal's retries.
 */
public final class LedgerService implements LedgerActivities {
  private final Definitions definitions;
  private final Preparation preparation;
  private final Claims claims;
  private final Attempts attempts;
  private final Backfills backfills;
  private final Verification verification;
  private final WakeFlags wakeFlags;
  private final ClaimPace pace = new ClaimPace();

  public LedgerService(
      Definitions definitions,
      Preparation preparation,
      Claims claims,
      Attempts attempts,
      Backfills backfills,
      Verification verification,
      WakeFlags wakeFlags) {
    this.definitions = definitions;
    this.preparation = preparation;
    this.claims = claims;
    this.attempts = attempts;
    this.backfills = backfills;
    this.verification = verification;
    this.wakeFlags = wakeFlags;
  }

  @Override
  public SweepPlan plan(PlanRequest request) {
    return refusing(
        () -> {
          RegisteredPipeline pipeline = definitions.get(request.pipeline());
          if (isWokenByOthers(pipeline, request)) {
            wakeFlags.lower(pipeline);
          }
          Preparation.Prepared prepared = preparation.prepareSweep(pipeline, request.now());
          verification.check(pipeline);
          // What was just observed may have unparked rows that a backfill waits for.
          backfills.settle(pipeline);
          Limits limits = pipeline.definition().pace().limits();
          int planned =
              claims.beginSweep(pipeline, request.scope(), request.now(), limits.partitions() + 1);
          return new SweepPlan(
              prepared.now(),
              prepared.closedThrough().map(Window::label).orElse(null),
              planned,
              limits.partitions(),
              limits.duration().toSeconds(),
              limits.parallel(),
              pipeline.paused());
        });
  }

  private static boolean isWokenByOthers(RegisteredPipeline pipeline, PlanRequest request) {
    return request.scope() == Scope.ALL
        && request.now() == null
        && pipeline.definition().inputs().stream().anyMatch(InputSpec.Upstream.class::isInstance);
  }

  @Override
  public ClaimResult claim(ClaimRequest request) {
    pace.await(request.pipeline());
    ClaimResult result = refusing(() -> claims.claim(request));
    pace.claimed(request.pipeline(), result.claims().size());
    return result;
  }

  @Override
  public BackfillView requestBackfill(
      String pipelineName, BackfillRequest request, boolean recordRefusal) {
    return refusing(
        () -> {
          RegisteredPipeline pipeline = definitions.get(pipelineName);
          try {
            return ask(pipeline, request);
          } catch (LedgerRefusal refusal) {
            if (!recordRefusal) {
              throw refusal;
            }
            return backfills.reject(pipeline, request, String.valueOf(refusal.getMessage()));
          }
        });
  }

  // What is wrong with the request itself is found before the expected set is touched.
  private BackfillView ask(RegisteredPipeline pipeline, BackfillRequest request) {
    backfills.check(pipeline, request);
    preparation.prepare(pipeline, request.now());
    return backfills.request(pipeline, request);
  }

  /**
   * What {@link #requestBackfill} would pin, with its items; asks for nothing. Like a sweep's plan,
   * it brings the expected set up to date first, so that the list is the real one.
   *
   * @throws LedgerRefusal as the request would be refused
   */
  public BackfillView previewBackfill(RegisteredPipeline pipeline, BackfillRequest request) {
    backfills.check(pipeline, request);
    preparation.prepare(pipeline, request.now());
    return backfills.preview(pipeline, request);
  }

  @Override
  public void changed(String pipelineName, InputChange change) {
    refusing(() -> preparation.push(definitions.get(pipelineName), change));
  }

  @Override
  public Outlook outlook(PlanRequest request) {
    return refusing(
        () -> {
          RegisteredPipeline pipeline = definitions.get(request.pipeline());
          backfills.settle(pipeline);
          return claims.outlook(pipeline, request.scope(), request.now(), request.atMost());
        });
  }

  @Override
  public PartitionOutcome settleTimeout(Claim claim, String error) {
    return refusing(() -> attempts.settleTimeout(claim, error));
  }

  private static <T> T refusing(Supplier<T> work) {
    try {
      return work.get();
    } catch (LedgerRefusal refusal) {
      throw failure(refusal);
    }
  }

  private static ApplicationFailure failure(LedgerRefusal refusal) {
    String type =
        switch (refusal.kind()) {
          case INVALID -> Refusal.INVALID;
          case REFUSED -> Refusal.REFUSED;
          case UNKNOWN_PIPELINE -> Refusal.UNKNOWN_PIPELINE;
        };
    return ApplicationFailure.newBuilder()
        .setMessage(refusal.getMessage())
        .setType(type)
        .setDetails(refusal.field())
        .setNonRetryable(true)
        // The asker's mistake: an answer, not a fault of the worker that has to say it.
        .setCategory(ApplicationErrorCategory.BENIGN)
        .build();
  }
}
