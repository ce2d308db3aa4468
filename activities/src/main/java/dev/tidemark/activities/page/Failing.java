package dev.tidemark.activities.page;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What fails in a pipeline, and why: the errors first, since one often explains hundreds. */
public final class Failing {
  private static final int MOST = 20;
  private static final int LONGEST = 400;

  private final Database database;

  public Failing(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * Partitions that failed with one error.
   *
   * @param error its first line, null where none is kept
   * @param partitions how many
   * @param parked how many of them wait for a person
   * @param newest label of the newest
   * @param slice its slice, canonical
   */
  public record Group(
      @Nullable String error, int partitions, int parked, String newest, String slice) {}

  // Digits differ from one partition to the next where the error is the same.
  private static final Sql GROUPS =
      Sql.of(
          """
          select left(split_part((array_agg(l.last_error order by l.window_start desc))[1], E'\\n', 1), :longest)
                   as error,
                 count(*) as partitions,
                 count(l.parked_at) as parked,
                 (array_agg(l.partition order by l.window_start desc))[1] as newest,
                 (array_agg(l.slice order by l.window_start desc))[1] as slice
            from tidemark.partition_ledger l
           where l.pipeline_id = :pipeline
             and (l.parked_at is not null or l.failed_claims > 0)
             and l.expected and l.excused_at is null
           group by regexp_replace(left(split_part(l.last_error, E'\\n', 1), :longest), '[0-9]+', '#', 'g')
           order by count(*) desc, max(l.window_start) desc
           limit :most
          """);

  /** The errors, the one with most partitions first; at most {@value #MOST}. */
  public List<Group> groups(RegisteredPipeline pipeline) {
    return database.roundTrip(
        connection ->
            GROUPS
                .on(connection)
                .set("pipeline", pipeline.id())
                .set("longest", LONGEST)
                .set("most", MOST)
                .list(
                    row ->
                        new Group(
                            row.textOrNull("error"),
                            row.integer("partitions"),
                            row.integer("parked"),
                            row.text("newest"),
                            row.text("slice"))));
  }
}
