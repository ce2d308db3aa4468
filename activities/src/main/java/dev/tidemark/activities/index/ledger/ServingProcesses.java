package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What each process that answers queries has open. A process counts while it is seen: it says so
 * again and again, by the database's clock.
 */
public final class ServingProcesses {
  /** A process that has not reported for longer is not waited for. */
  public static final Duration SEEN = Duration.ofSeconds(30);

  private final Database database;

  public ServingProcesses(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /** The time of hydration is kept while the generation stays. */
  private static final Sql REPORT =
      Sql.of(
          """
          insert into tidemark.object_serving as s
                 (object_type_id, process, object_index_id, generation, edit_offset, hydrated_at,
                  error, seen_until)
          values (:type, :process, :index, :generation, :edits,
                  case when :generation > 0 then clock_timestamp() end, :error,
                  clock_timestamp() + :seen * interval '1 millisecond')
          on conflict (process, object_index_id) do update
             set generation = excluded.generation, edit_offset = excluded.edit_offset,
                 hydrated_at = case when s.generation = excluded.generation
                   then s.hydrated_at else excluded.hydrated_at end,
                 error = excluded.error, seen_until = excluded.seen_until
          """);

  /**
   * A process has an index open, or tries to.
   *
   * @param generation hydrated and open; 0 for none yet
   * @param editOffset edits up to here can be queried
   * @param error why it has not got a newer generation; null where nothing is wrong
   */
  public void report(
      String process, ObjectIndex index, long generation, long editOffset, @Nullable String error) {
    database.roundTrip(
        connection ->
            REPORT
                .on(connection)
                .set("type", index.typeId())
                .set("process", process)
                .set("index", index.id())
                .set("generation", generation)
                .set("edits", editOffset)
                .set("error", error)
                .set("seen", SEEN.toMillis())
                .update());
  }

  private static final Sql FORGET =
      Sql.of("delete from tidemark.object_serving where process = :process");

  private static final Sql FORGET_INDEX =
      Sql.of(
          """
          delete from tidemark.object_serving
           where process = :process and object_index_id = :index
          """);

  /** A process has closed all it had. */
  public void forget(String process) {
    database.roundTrip(connection -> FORGET.on(connection).set("process", process).update());
  }

  /** A process has closed an index. */
  public void forget(String process, ObjectIndex index) {
    database.roundTrip(
        connection ->
            FORGET_INDEX.on(connection).set("process", process).set("index", index.id()).update());
  }

  private static final Sql FORGET_DEAD =
      Sql.of(
          """
          delete from tidemark.object_serving
           where object_type_id = :type and seen_until < clock_timestamp() - interval '1 day'
          """);

  /** Those that ended without a word, and do not count any more, are not kept for ever. */
  public void forgetDead(int typeId) {
    database.roundTrip(connection -> FORGET_DEAD.on(connection).set("type", typeId).update());
  }

  /** A process and what it has of an index: generation 0 where it has none of it. */
  public record Serving(
      String process,
      long generation,
      long editOffset,
      @Nullable Instant hydratedAt,
      @Nullable String error) {
    /** The same, with this in place of what went wrong, if anything did. */
    public Serving hiding(String instead) {
      return new Serving(
          process, generation, editOffset, hydratedAt, error == null ? null : instead);
    }

    static Serving of(Row row) throws SQLException {
      return new Serving(
          row.text("process"),
          row.number("generation"),
          row.number("edit_offset"),
          row.instantOrNull("hydrated_at"),
          row.textOrNull("error"));
    }
  }

  private static final Sql SEEN_NOW =
      Sql.of(
          """
          select p.process, coalesce(s.generation, 0) as generation,
                 coalesce(s.edit_offset, 0) as edit_offset, s.hydrated_at, s.error
            from (select distinct process
                    from tidemark.object_serving
                   where object_type_id = :type and seen_until > clock_timestamp()) p
            left join tidemark.object_serving s
              on s.process = p.process and s.object_index_id = :index
           order by p.process
          """);

  /** Every process that is seen to answer queries of the type, and what it has of this index. */
  public List<Serving> of(ObjectIndex index) {
    return database.roundTrip(
        connection ->
            SEEN_NOW
                .on(connection)
                .set("type", index.typeId())
                .set("index", index.id())
                .list(Serving::of));
  }
}
