package dev.tidemark.worker.metrics;

import dev.tidemark.workflows.foreign.ForeignActivities;
import dev.tidemark.workflows.foreign.ForeignFailure;
import dev.tidemark.workflows.foreign.ForeignResult;
import dev.tidemark.workflows.foreign.ForeignSettled;
import dev.tidemark.workflows.foreign.ForeignStart;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import java.util.List;

/** Partitions that another SDK runs, counted by how they end. */
final class CountedForeign implements ForeignActivities {
  private final ForeignActivities foreign;
  private final Metrics metrics;

  CountedForeign(ForeignActivities foreign, Metrics metrics) {
    this.foreign = foreign;
    this.metrics = metrics;
  }

  @Override
  public ForeignStart begin(Claim claim, int after) {
    ForeignStart start = foreign.begin(claim, after);
    ForeignSettled settled = start.settled();
    if (settled != null) {
      ended(claim, settled);
    }
    return start;
  }

  @Override
  public ForeignSettled publish(Claim claim, long token, ForeignResult result) {
    return ended(claim, foreign.publish(claim, token, result));
  }

  @Override
  public ForeignSettled fail(Claim claim, long token, ForeignFailure failure) {
    return ended(claim, foreign.fail(claim, token, failure));
  }

  @Override
  public List<Long> held(List<Long> tokens) {
    return foreign.held(tokens);
  }

  @Override
  public boolean isBegun(String workflowId) {
    return foreign.isBegun(workflowId);
  }

  private ForeignSettled ended(Claim claim, ForeignSettled settled) {
    PartitionOutcome outcome = settled.outcome();
    metrics.ended(claim.pipeline(), outcome == null ? "retried" : Metrics.label(outcome.kind()));
    return settled;
  }
}
