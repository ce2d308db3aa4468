package dev.tidemark.workflows.foreign;

import dev.tidemark.workflows.ledger.Claim;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import java.util.List;

/** What stays with this side of a partition whose task another SDK runs. */
@ActivityInterface
public interface ForeignActivities {

  /**
   * Begins an attempt: its token, the versions it reads, a place for its files, and a lease for as
   * long as the task may take.
   *
   * @param after the number of the attempt before it, 0 for none
   */
  @ActivityMethod(name = "TidemarkForeignBegin")
  ForeignStart begin(Claim claim, int after);

  /**
   * Publishes what the task wrote, and settles. Tried once for each token, so that no two publish
   * under one: who is cut off here runs the task again.
   */
  @ActivityMethod(name = "TidemarkForeignPublish")
  ForeignSettled publish(Claim claim, long token, ForeignResult result);

  /** Settles an attempt whose task failed, and takes away what it wrote. */
  @ActivityMethod(name = "TidemarkForeignFail")
  ForeignSettled fail(Claim claim, long token, ForeignFailure failure);

  /** Those of the tokens that are still the newest and whose claims were not ended. */
  @ActivityMethod(name = "TidemarkForeignHeld")
  List<Long> held(List<Long> tokens);

  /** Whether a worker ever took up a workflow. */
  @ActivityMethod(name = "TidemarkForeignBegun")
  boolean isBegun(String workflowId);
}
