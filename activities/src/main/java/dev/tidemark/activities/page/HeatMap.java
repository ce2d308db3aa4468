package dev.tidemark.activities.page;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.NamedPartitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/**
 * The calendar of a pipeline, counted by the database: what comes back is bounded by the cells that
 * are shown, not by the partitions there are.
 */
public final class HeatMap {
  /** Ten years of days, and a few. */
  public static final int MAX_CELLS = 4_000;

  private static final int DATE = "2026-09-05".length();

  private final Database database;

  public HeatMap(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * One cell of the calendar.
   *
   * @param key the day or month that it is, or the label of its window
   * @param first label of its first window that has a row
   * @param last label of its last one
   * @param counts how many partitions, by the words of the view {@code partition_kind}; what there
   *     is none of is left out
   */
  public record Cell(String key, String first, String last, Map<String, Integer> counts) {}

  // Written as text only once it is counted; its zone plays no further part then.
  private static final Sql CELLS =
      Sql.of(
          """
          select cell::text as key, kind, first, last, count
            from (
              select case when :by = 'window' then window_start at time zone 'UTC'
                          else date_trunc(nullif(:by, 'window'), window_start at time zone :zone)
                     end as cell,
                     kind, min(window_start) as first, max(window_start) as last, count(*) as count
                from tidemark.partition_kind
               where pipeline_id = :pipeline
                 and (:from::timestamptz is null or window_start >= :from)
                 and (:to::timestamptz is null or window_start < :to)
                 and (cardinality(:slice::text[]) = 0
                   or string_to_array(slice, '/') @> :slice::text[])
               group by 1, 2) counted
           order by first, kind
           limit :most
          """);

  /**
   * The cells that have partitions, oldest first.
   *
   * @param filter dimensions that must be equal
   * @throws LedgerRefusal if there are more than {@link #MAX_CELLS}
   */
  public List<Cell> cells(RegisteredPipeline pipeline, Zoom zoom, Slice filter) {
    Partitioning partitions = pipeline.definition().extent().partitions();
    Map<String, Growing> cells = new LinkedHashMap<>();
    database
        .roundTrip(
            connection ->
                CELLS
                    .on(connection)
                    .set("by", zoom.by().code())
                    .set("zone", partitions.zone().getId())
                    .set("pipeline", pipeline.id())
                    .set("from", zoom.from())
                    .set("to", zoom.to())
                    .set("slice", NamedPartitions.parts(filter))
                    .set("most", MAX_CELLS * 10)
                    .list(Counted::of))
        .forEach(
            counted -> cells.computeIfAbsent(counted.key(), key -> new Growing()).add(counted));
    if (cells.size() > MAX_CELLS) {
      throw new LedgerRefusal(
          LedgerRefusal.Kind.INVALID,
          "by",
          "by: more than %d cells; show a shorter period, or larger cells".formatted(MAX_CELLS));
    }
    return cells.entrySet().stream()
        .map(entry -> entry.getValue().cell(partitions, zoom.by(), entry.getKey()))
        .toList();
  }

  /** How many of one kind there are in one cell. */
  private record Counted(String key, String kind, Instant first, Instant last, int count) {
    static Counted of(Row row) throws SQLException {
      return new Counted(
          row.text("key"),
          row.text("kind"),
          row.instant("first"),
          row.instant("last"),
          row.integer("count"));
    }
  }

  /** A cell, while its kinds are read. */
  private static final class Growing {
    private final Map<String, Integer> counts = new TreeMap<>();
    private Instant first = Instant.MAX;
    private Instant last = Instant.MIN;

    void add(Counted counted) {
      counts.put(counted.kind(), counted.count());
      first = counted.first().isBefore(first) ? counted.first() : first;
      last = counted.last().isAfter(last) ? counted.last() : last;
    }

    Cell cell(Partitioning partitions, Zoom.By by, String key) {
      String label = partitions.containing(first).label();
      return new Cell(
          by == Zoom.By.WINDOW ? label : key.substring(0, DATE),
          label,
          partitions.containing(last).label(),
          counts);
    }
  }
}
