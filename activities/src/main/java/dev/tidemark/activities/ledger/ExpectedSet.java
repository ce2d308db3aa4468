package dev.tidemark.activities.ledger;

import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.util.List;
import javax.sql.DataSource;

/**
 * Turns the expected set into rows: every partition that the definition says must exist, up to the
 * newest closed window (A19).
 */
public final class ExpectedSet {
  private final DataSource dataSource;

  public ExpectedSet(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Adds the rows that are missing up to {@code closedThrough}, marks those that are no longer
   * expected, applies the catch-up policy to what is newly closed. Costs nothing where nothing
   * changed since the last call.
   *
   * @return how many rows were added
   */
  public int bringUpTo(
      RegisteredPipeline pipeline, List<ExpectedSlice> slices, Window closedThrough) {
    throw new UnsupportedOperationException("to be built");
  }
}
