package dev.tidemark.activities.page;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.NamedPartitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Slice;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The partitions behind a cell of the calendar. */
public final class PartitionList {
  private static final int LONGEST_ERROR = 300;

  private final Database database;

  public PartitionList(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * Which.
   *
   * @param from start of the first window, null for no bound
   * @param to start of the last window, inclusive, null for no bound
   * @param kinds words of the view {@code partition_kind}; empty for all
   * @param slice dimensions that must be equal
   */
  public record Filter(
      @Nullable Instant from, @Nullable Instant to, List<String> kinds, Slice slice) {}

  /**
   * One partition.
   *
   * @param slice canonical
   * @param error the first line of the last error
   */
  public record Entry(
      String partition,
      String slice,
      String kind,
      @Nullable Instant committedAt,
      @Nullable Instant nextAttemptAt,
      int attempts,
      @Nullable String error) {}

  private static final Sql ENTRIES =
      Sql.of(
          """
          select l.partition, l.slice, k.kind, l.committed_at, l.next_attempt_at, l.attempts,
                 left(split_part(l.last_error, E'\\n', 1), :longest) as error
            from tidemark.partition_kind k
            join tidemark.partition_ledger l using (id)
           where k.pipeline_id = :pipeline
             and (:from::timestamptz is null or k.window_start >= :from)
             and (:to::timestamptz is null or k.window_start <= :to)
             and (cardinality(:kinds::text[]) = 0 or k.kind = any(:kinds::text[]))
             and (cardinality(:slice::text[]) = 0
               or string_to_array(k.slice, '/') @> :slice::text[])
           order by k.window_start desc, k.slice
           limit :most
          """);

  /** The newest first, then by slice; at most {@code most}. */
  public List<Entry> find(RegisteredPipeline pipeline, Filter filter, int most) {
    return database.roundTrip(
        connection ->
            ENTRIES
                .on(connection)
                .set("longest", LONGEST_ERROR)
                .set("pipeline", pipeline.id())
                .set("from", filter.from())
                .set("to", filter.to())
                .set("kinds", filter.kinds())
                .set("slice", NamedPartitions.parts(filter.slice()))
                .set("most", most)
                .list(PartitionList::entry));
  }

  private static Entry entry(Row row) throws SQLException {
    return new Entry(
        row.text("partition"),
        row.text("slice"),
        row.text("kind"),
        row.instantOrNull("committed_at"),
        row.instantOrNull("next_attempt_at"),
        row.integer("attempts"),
        row.textOrNull("error"));
  }
}
