package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The registered object types. */
public final class ObjectTypes {
  private final Database database;

  public ObjectTypes(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * An object type.
   *
   * @param serving the index that queries are answered from; null before the first is built
   * @param previous what it was before, for a rollback; null if there was none
   * @param editOffset the newest edit's; 0 before the first
   * @param fullAskedAt when a person asked for a full reindex that has not been made; else null
   */
  public record Registered(
      int id,
      String name,
      @Nullable Long serving,
      @Nullable Long previous,
      long editOffset,
      @Nullable Instant fullAskedAt) {
    static Registered of(Row row) throws SQLException {
      return new Registered(
          row.integer("object_type_id"),
          row.text("name"),
          row.numberOrNull("serving_index_id"),
          row.numberOrNull("previous_index_id"),
          row.number("edit_offset"),
          row.instantOrNull("full_asked_at"));
    }
  }

  private static final Sql ALL =
      Sql.of("select * from tidemark.object_type where removed_at is null order by name");

  /** All that are not removed, by name. */
  public List<Registered> all() {
    return database.roundTrip(connection -> ALL.on(connection).list(Registered::of));
  }

  /**
   * One of them.
   *
   * @throws LedgerRefusal naming the known ones, if there is none of this name
   */
  public Registered get(String name) {
    List<Registered> all = all();
    return all.stream()
        .filter(type -> type.name().equals(name))
        .findFirst()
        .orElseThrow(() -> unknown(name, all.stream().map(Registered::name).toList()));
  }

  private static LedgerRefusal unknown(String name, List<String> known) {
    return new LedgerRefusal(
        LedgerRefusal.Kind.INVALID,
        "object_type",
        "object type '%s' is not registered; %s"
            .formatted(
                name,
                known.isEmpty()
                    ? "none is: register definitions with apply"
                    : "there are " + String.join(", ", known)));
  }

  private static final Sql ASK =
      Sql.of(
          """
          update tidemark.object_type
             set full_asked_at = clock_timestamp(), full_asked_by = :by
           where name = :name and removed_at is null
          """);

  /** A person asks for a full reindex (D29); the next build of the live index is one. */
  public void askFull(String name, String by) {
    get(name);
    database.roundTrip(connection -> ASK.on(connection).set("name", name).set("by", by).update());
  }

  private static final Sql REMOVE =
      Sql.of(
          """
          update tidemark.object_type
             set removed_at = clock_timestamp()
           where name = :name and removed_at is null
          """);

  /** Nobody builds or serves it any more; its files and edits stay. */
  public void remove(String name) {
    get(name);
    database.roundTrip(connection -> REMOVE.on(connection).set("name", name).update());
  }

  private static final Sql RAISE =
      Sql.of(
          """
          update tidemark.object_type
             set woken_at = clock_timestamp()
           where name = any(:names) and removed_at is null
             and (woken_at is null or woken_at < clock_timestamp() - interval '1 minute')
          returning name
          """);

  /**
   * Undertakes to wake some, as {@link dev.tidemark.activities.ledger.WakeFlags} does for
   * pipelines.
   *
   * @return those that this call is to wake
   */
  public List<String> raise(List<String> names) {
    return database.roundTrip(
        connection -> RAISE.on(connection).set("names", names).list(row -> row.text("name")));
  }

  private static final Sql LOWER =
      Sql.of(
          """
          update tidemark.object_type set woken_at = null
           where name = :name and woken_at is not null
          """);

  /** A look at its sources begins: what is committed from now on wakes it again. */
  public void lower(String name) {
    database.roundTrip(connection -> LOWER.on(connection).set("name", name).update());
  }
}
