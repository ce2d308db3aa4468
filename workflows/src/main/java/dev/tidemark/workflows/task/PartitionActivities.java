package dev.tidemark.workflows.task;

import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;

/** The one activity that runs a partition: begin, read versions, task, stage, publish, settle. */
@ActivityInterface
public interface PartitionActivities {

  /**
   * Runs the claimed partition. A failure that another attempt of the same claim may follow is
   * thrown, with the pause before it; every other end is returned.
   */
  @ActivityMethod(name = "TidemarkPartition")
  PartitionOutcome run(Claim claim);
}
