package dev.tidemark.worker.metrics;

import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.task.PartitionActivities;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;

/** Partitions run here, counted. */
final class CountedPartitions implements PartitionActivities {
  private final PartitionActivities partitions;
  private final Metrics metrics;

  CountedPartitions(PartitionActivities partitions, Metrics metrics) {
    this.partitions = partitions;
    this.metrics = metrics;
  }

  @Override
  public PartitionOutcome run(Claim claim) {
    long began = System.nanoTime();
    // What is thrown otherwise has settled nothing: the ledger, or Temporal, could not be reached.
    String outcome = "unsettled";
    try {
      PartitionOutcome ended = partitions.run(claim);
      outcome = Metrics.label(ended.kind());
      return ended;
    } catch (ApplicationFailure retried) {
      outcome = "retried";
      throw retried;
    } finally {
      metrics.ended(claim.pipeline(), outcome);
      metrics.ran(claim.pipeline(), Duration.ofNanos(System.nanoTime() - began));
    }
  }
}
