package dev.tidemark.activities.planning;

import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Window;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Has a row made of every partition that is expected, as each sweep does first: so that what people
 * name before the first sweep is there.
 */
public final class ExpectedPartitions {
  private final DataSource ledger;
  private final SliceSets sliceSets;

  public ExpectedPartitions(DataSource ledger, SliceSets sliceSets) {
    this.ledger = ledger;
    this.sliceSets = sliceSets;
  }

  /**
   * Makes them.
   *
   * @param now decides what is closed; null is the database's clock
   * @throws SQLException if a query that lists the slices cannot be run
   */
  public void bringUpToDate(RegisteredPipeline pipeline, @Nullable Instant now)
      throws SQLException {
    Instant decides = now == null ? new LedgerReader(ledger).now() : now;
    Optional<Window> closed = pipeline.definition().extent().closedThrough(decides);
    if (closed.isPresent()) {
      new ExpectedSet(ledger)
          .bringUpTo(pipeline, sliceSets.expand(pipeline.definition()), closed.get());
    }
  }
}
