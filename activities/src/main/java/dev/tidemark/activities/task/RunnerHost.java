package dev.tidemark.activities.task;

import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.attempt.Settlement;
import dev.tidemark.activities.metrics.PartitionMetrics;
import dev.tidemark.activities.metrics.Trouble;
import dev.tidemark.workflows.ledger.PartitionOutcome;

/**
 * What a runner of partitions is part of.
 *
 * @param worker who runs the partitions, for people
 * @param wakes whom their commits concern
 * @param metrics what counts them
 */
public record RunnerHost(String worker, Wakes wakes, PartitionMetrics metrics) {

  /** One that nobody counts. */
  public RunnerHost(String worker, Wakes wakes) {
    this(worker, wakes, PartitionMetrics.NONE);
  }

  /** Counts what came of a commit; returns the same. */
  Settlement committed(Begun begun, Committed committed, Settlement settlement) {
    String pipeline = begun.pipeline().name();
    if (settlement instanceof Settlement.Ended ended) {
      if (ended.outcome().kind() == PartitionOutcome.Kind.COMMITTED) {
        metrics.committed(pipeline, committed.rows(), committed.bytes());
      } else if (ended.outcome().kind() == PartitionOutcome.Kind.RELEASED) {
        metrics.troubled(pipeline, Trouble.FENCED);
      }
    }
    return settlement;
  }

  /** Counts a failure that is not the task's. */
  void failed(Begun begun, AttemptFailedException failure) {
    Trouble trouble = failure.trouble();
    if (trouble != null) {
      metrics.troubled(begun.pipeline().name(), trouble);
    }
  }
}
