package dev.tidemark.activities.page;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Partitioning;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What was exported, by account (B42). */
public final class ExportLedger {
  private static final int MOST = 500;

  private final Database database;

  public ExportLedger(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * What one account has of an export.
   *
   * @param account null where the pipeline has none
   * @param partitions how many are expected
   * @param complete how many are complete, and their input has not changed since
   * @param waiting how many are not: missing, late, failed, lost
   * @param newest label of the newest complete one, null for none
   */
  public record Line(
      @Nullable String account,
      int partitions,
      int complete,
      int waiting,
      long rows,
      long bytes,
      @Nullable String newest) {}

  private static final Sql LINES =
      Sql.of(
          """
          select account,
                 count(*) as partitions,
                 count(*) filter (where kind = 'complete') as complete,
                 count(*) filter (where kind in ('missing', 'late', 'lost', 'failed', 'parked')) as waiting,
                 coalesce(sum(rows), 0) as rows,
                 coalesce(sum(bytes), 0) as bytes,
                 max(window_start) filter (where kind = 'complete') as newest
            from tidemark.partition_kind
           where pipeline_id = :pipeline
           group by 1
           order by waiting desc, 1 nulls first
           limit :most
          """);

  /** By account, those with most that is not complete first; at most {@value #MOST}. */
  public List<Line> lines(RegisteredPipeline pipeline) {
    Partitioning partitions = pipeline.definition().extent().partitions();
    return database.roundTrip(
        connection ->
            LINES
                .on(connection)
                .set("pipeline", pipeline.id())
                .set("most", MOST)
                .list(
                    row ->
                        new Line(
                            row.textOrNull("account"),
                            row.integer("partitions"),
                            row.integer("complete"),
                            row.integer("waiting"),
                            row.number("rows"),
                            row.number("bytes"),
                            label(partitions, row.instantOrNull("newest")))));
  }

  private static @Nullable String label(Partitioning partitions, @Nullable Instant start) {
    return start == null ? null : partitions.containing(start).label();
  }
}
