package dev.tidemark.activities.ledger;

import dev.tidemark.workflows.partition.Slice;
import java.util.List;
import javax.sql.DataSource;

/** What people do to single partitions. Each is idempotent. */
public final class Interventions {
  private final DataSource dataSource;

  public Interventions(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Takes partitions out of the expected set, with a reason. Returns how many rows changed. An
   * empty slice filter means all slices.
   */
  public int excuse(
      RegisteredPipeline pipeline, List<String> partitions, Slice filter, String reason) {
    throw new UnsupportedOperationException("to be built");
  }

  /** Puts them back. */
  public int unexcuse(
      RegisteredPipeline pipeline, List<String> partitions, Slice filter, String reason) {
    throw new UnsupportedOperationException("to be built");
  }

  /** Makes parked and failed partitions due now; an empty list means all of them. */
  public int retry(RegisteredPipeline pipeline, List<String> partitions, Slice filter) {
    throw new UnsupportedOperationException("to be built");
  }
}
