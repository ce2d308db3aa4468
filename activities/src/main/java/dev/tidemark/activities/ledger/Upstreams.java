package dev.tidemark.activities.ledger;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.planning.ExpectedSlice;
import dev.tidemark.workflows.planning.ExpectedSlices;
import dev.tidemark.workflows.planning.PartitionFacts;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What the ledger holds of a pipeline that another one reads. */
public final class Upstreams {
  /** One observation reads no more rows of a pipeline than this. */
  public static final int MAX_ROWS = 2_000_000;

  private final Database database;
  private final Definitions definitions;
  private final LedgerReader reader;

  public Upstreams(DataSource dataSource) {
    this.database = new Database(dataSource);
    this.definitions = new Definitions(dataSource);
    this.reader = new LedgerReader(dataSource);
  }

  /** The pipeline, unless it is not registered or removed. */
  public Optional<RegisteredPipeline> find(String name) {
    return definitions.find(name);
  }

  /**
   * The slices that it expects: as the definition says, or, where only a query knows them, as its
   * last sweep found them.
   */
  public List<ExpectedSlice> slices(RegisteredPipeline pipeline) {
    var extent = pipeline.definition().extent();
    if (extent.slices().stream().anyMatch(SliceSet.Query.class::isInstance)) {
      return reader.expectedSlices(pipeline);
    }
    return extent.slices().isEmpty()
        ? ExpectedSlices.none(extent.partitions())
        : ExpectedSlices.merge(
            ExpectedSlices.ofProducts(
                extent.partitions(),
                extent.slices().stream().map(SliceSet.Product.class::cast).toList()));
  }

  /** The version is what the commit holds; its token where that is not known. */
  private static final Sql ROWS =
      Sql.of(
          """
          select slice, partition, window_start, window_end, requested_gen, done_gen, input_version,
                 processed_version, input_seen_at, committed_token, closed_through, definition,
                 failed_claims, next_attempt_at, next_attempt_now, expected, skipped_at, excused_at,
                 parked_at, no_input, upstream_hold, output_lost_at,
                 lease_until > clock_timestamp() as live,
                 coalesce(predecessor_now > 0 and predecessor <> predecessor_now, false)
                   as rebuilt_before,
                 coalesce(content, 'token ' || committed_token) as version
            from tidemark.partition_ledger
           where pipeline_id = :pipeline and window_start >= :from and window_start < :to
           order by window_start, slice
           limit :most
          """);

  /**
   * The rows whose windows start in [from, to), from one query; at most {@link #MAX_ROWS} and one.
   */
  public void read(RegisteredPipeline pipeline, Instant from, Instant to, Consumer<Read> each) {
    database.transaction(
        connection -> {
          ROWS
              .on(connection)
              .set("pipeline", pipeline.id())
              .set("from", from)
              .set("to", to)
              .set("most", MAX_ROWS + 1)
              .stream(row -> each.accept(new Read(FactsRow.facts(row), row.textOrNull("version"))));
          return true;
        });
  }

  /**
   * One partition.
   *
   * @param version of its content; null where it was never committed
   */
  public record Read(PartitionFacts facts, @Nullable String version) {}
}
