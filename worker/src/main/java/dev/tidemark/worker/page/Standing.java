package dev.tidemark.worker.page;

import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.page.Failing;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How a pipeline stands: its state, and what fails in it. */
record Standing(LedgerReader reader, Failing failing, Outputs outputs, SliceSets slices) {
  static Standing of(DataSource ledger, SliceSets slices) {
    return new Standing(new LedgerReader(ledger), new Failing(ledger), new Outputs(ledger), slices);
  }

  /**
   * As it is shown.
   *
   * @param failing errors, the one with most partitions first
   * @param outputsMissing so many outputs are missing at once that a person has to decide; null
   *     where it is not so
   */
  record View(
      LedgerReader.Status status,
      Calendar calendar,
      List<Failing.Group> failing,
      @Nullable Integer outputsMissing) {}

  /** How its time is cut. */
  record Calendar(String grain, String zone, String start, @Nullable String end, boolean sliced) {
    static Calendar of(RegisteredPipeline pipeline) {
      var extent = pipeline.definition().extent();
      var partitions = extent.partitions();
      return new Calendar(
          partitions.every().code(),
          partitions.zone().getId(),
          partitions.first().label(),
          partitions.end(),
          !extent.slices().isEmpty());
    }
  }

  View of(RegisteredPipeline pipeline) throws SQLException {
    LedgerReader.Status status = reader.status(pipeline, expected(pipeline), null);
    Map<String, Integer> counts = status.counts();
    boolean fails = counts.getOrDefault("failed", 0) + counts.getOrDefault("parked", 0) > 0;
    return new View(
        status,
        Calendar.of(pipeline),
        fails ? failing.groups(pipeline) : List.of(),
        outputs.missing(pipeline).map(Outputs.Missing::count).orElse(null));
  }

  /** What it expects before its first sweep, as far as its definition alone can tell. */
  private List<ExpectedSlice> expected(RegisteredPipeline pipeline) throws SQLException {
    boolean asks =
        pipeline.definition().extent().slices().stream().anyMatch(SliceSet.Query.class::isInstance);
    return asks ? List.of() : slices.expand(pipeline.definition());
  }
}
