package dev.tidemark.activities.page;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/** How each slice of a pipeline stands. */
public final class SliceCounts {
  /** More than this are searched, not listed. */
  public static final int MOST = 500;

  private final Database database;

  public SliceCounts(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * One slice.
   *
   * @param slice its canonical text
   * @param counts how many partitions, by the words of the view {@code partition_kind}
   */
  public record Line(String slice, Map<String, Integer> counts) {}

  // What needs somebody comes first.
  private static final Sql SLICES =
      Sql.of(
          """
          with counted as (
            select slice, kind, count(*) as count
              from tidemark.partition_kind
             where pipeline_id = :pipeline
               and position(lower(:search) in lower(slice)) > 0
             group by 1, 2),
          shown as (
            select slice,
                   coalesce(sum(count) filter (
                       where kind in ('parked', 'failed', 'lost', 'late', 'missing')), 0) as trouble
              from counted
             group by 1
             order by 2 desc, 1
             limit :most)
          select slice, kind, count
            from shown
            join counted using (slice)
           order by trouble desc, slice, kind
          """);

  /**
   * Those with most that is not complete first, then by name; at most {@link #MOST}.
   *
   * @param search part of the canonical text, in any case; empty for all
   */
  public List<Line> search(RegisteredPipeline pipeline, String search) {
    Map<String, Map<String, Integer>> slices = new LinkedHashMap<>();
    database.roundTrip(
        connection ->
            SLICES
                .on(connection)
                .set("pipeline", pipeline.id())
                .set("search", search)
                .set("most", MOST)
                .list(
                    row ->
                        slices
                            .computeIfAbsent(row.text("slice"), slice -> new TreeMap<>())
                            .put(row.text("kind"), row.integer("count"))));
    List<Line> lines = new ArrayList<>();
    slices.forEach((slice, counts) -> lines.add(new Line(slice, counts)));
    return lines;
  }
}
