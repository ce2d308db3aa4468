package dev.tidemark.activities.page;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Slice;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What is kept of a partition's attempts besides what {@code explain} says of them. */
public final class AttemptRecords {
  private static final int MOST = 100;

  private final Database database;

  public AttemptRecords(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * One attempt.
   *
   * @param run the id of the workflow run that claimed the partition for it
   * @param log what the task printed last; null where it printed nothing
   */
  public record Entry(long token, String run, @Nullable String log) {}

  // A claim is named by the run of the lane that made it, and a number.
  private static final Sql ENTRIES =
      Sql.of(
          """
          select a.token, split_part(a.claim_id, '/', 1) as run, right(a.log, :longest) as log
            from tidemark.attempt a
            join tidemark.partition_ledger l on l.id = a.row_id
           where l.pipeline_id = :pipeline
             and l.slice = :slice
             and l.partition = :partition
             and (a.token = :token::bigint or :token::bigint is null)
           order by a.token desc
           limit :most
          """);

  /**
   * The newest, newest first; at most {@value #MOST}.
   *
   * @param longest how many characters of each log, from its end
   */
  public List<Entry> of(RegisteredPipeline pipeline, Slice slice, String partition, int longest) {
    return find(pipeline, slice, partition, null, longest, MOST);
  }

  /**
   * One of them.
   *
   * @param token null for the newest
   */
  public Optional<Entry> one(
      RegisteredPipeline pipeline,
      Slice slice,
      String partition,
      @Nullable Long token,
      int longest) {
    return find(pipeline, slice, partition, token, longest, 1).stream().findFirst();
  }

  private List<Entry> find(
      RegisteredPipeline pipeline,
      Slice slice,
      String partition,
      @Nullable Long token,
      int longest,
      int most) {
    return database.roundTrip(
        connection ->
            ENTRIES
                .on(connection)
                .set("longest", longest)
                .set("pipeline", pipeline.id())
                .set("slice", slice.canonical())
                .set("partition", partition)
                .set("token", token)
                .set("most", most)
                .list(
                    row -> new Entry(row.number("token"), row.text("run"), row.textOrNull("log"))));
  }
}
