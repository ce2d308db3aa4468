package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.index.ledger.ObjectIndex.Role;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.SwitchOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Indexes that take the place of the live one: the switch, its rollback, and what never did. */
public final class Replacements {
  private final Database database;

  public Replacements(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  private static final Sql OPEN =
      Sql.of(
          """
          insert into tidemark.object_index
                 (object_type_id, revision, definition, role, cause, migrations)
          select :type, max(revision) + 1, :definition::jsonb, 'replacement', :cause,
                 :migrations::jsonb
            from tidemark.object_index
           where object_type_id = :type
          returning revision
          """);

  static int open(
      Connection connection,
      ObjectIndex live,
      ObjectType type,
      List<MigratedEdits> migrations,
      String cause)
      throws SQLException {
    return OPEN.on(connection)
        .set("type", live.typeId())
        .set("definition", Document.tree(type).toString())
        .set("migrations", Document.text(migrations))
        .set("cause", cause)
        .list(row -> row.integer("revision"))
        .get(0);
  }

  private static final Sql END =
      Sql.of(
          """
          update tidemark.object_build
             set state = 'superseded', ended_at = clock_timestamp(), error = :because
           where object_index_id = :index and state = 'running';

          update tidemark.object_index
             set role = 'failed', ended_at = clock_timestamp(), ended_because = :because
           where object_index_id = :index and role = 'replacement'
          """);

  /** It never becomes the live index; that is untouched. */
  static void end(Connection connection, long replacement, String because) throws SQLException {
    END.on(connection).set("index", replacement).set("because", because).update();
  }

  private static final Sql NEWEST_END =
      Sql.of(
          """
          select i.revision, coalesce(i.ended_because, '') as because
            from tidemark.object_type t
            join tidemark.object_index i using (object_type_id)
           where t.name = :name and t.removed_at is null and i.role = 'failed'
             and i.revision > coalesce((
               select l.revision from tidemark.object_index l
                where l.object_type_id = t.object_type_id and l.role = 'live'), 0)
           order by i.ended_at desc
           limit 1
          """);

  /** Why the newest replacement after the live index has ended; empty where none has. */
  static Optional<String> newestEnd(Connection connection, String name) throws SQLException {
    return NEWEST_END
        .on(connection)
        .set("name", name)
        .first(
            row ->
                "the replacement of revision %d has ended: %s"
                    .formatted(row.integer("revision"), row.text("because")));
  }

  private static final Sql NEWEST_FAILED =
      Sql.of(
          """
          select i.*
            from tidemark.object_index i
           where i.object_type_id = :type and i.role = 'failed' and i.revision > :revision
           order by i.revision desc
           limit 1
          """);

  /**
   * A person asks for a replacement: of the definition whose replacement failed, else of the
   * present one (D11).
   *
   * @return its revision; that of the one that is being built already, where there is one
   */
  public int again(String name) {
    return database.transaction(
        connection -> {
          ObjectDefinitions.lock(connection, name);
          Optional<ObjectIndex> building = ObjectDefinitions.in(connection, name, Role.REPLACEMENT);
          if (building.isPresent()) {
            return building.get().revision();
          }
          ObjectIndex live = live(connection, name);
          ObjectIndex source =
              NEWEST_FAILED
                  .on(connection)
                  .set("type", live.typeId())
                  .set("revision", live.revision())
                  .first(ObjectIndex::of)
                  .orElse(live);
          List<String> undecided = ObjectDefinitions.undecided(connection, live, source.type());
          if (!undecided.isEmpty()) {
            throw new LedgerRefusal(
                LedgerRefusal.Kind.REFUSED,
                "object-types." + name + ".migrate-edits",
                String.join("; ", undecided));
          }
          return open(connection, live, source.type(), source.migrations(), "asked");
        });
  }

  private static ObjectIndex live(Connection connection, String name) throws SQLException {
    return ObjectDefinitions.in(connection, name, Role.LIVE)
        .orElseThrow(
            () ->
                new LedgerRefusal(
                    LedgerRefusal.Kind.INVALID,
                    "object_type",
                    "object type '%s' is not registered; run apply".formatted(name)));
  }

  /** Edits cannot be made meanwhile: whoever makes one waits for the type's row. */
  private static final Sql HOLD =
      Sql.of(
          """
          select edit_offset from tidemark.object_type where object_type_id = :type for update
          """);

  private static final Sql SWITCH =
      Sql.of(
          """
          update tidemark.object_build
             set state = 'superseded', ended_at = clock_timestamp(),
                 error = 'another index is the live one'
           where object_index_id = :from and state = 'running';

          update tidemark.object_index
             set role = 'replaced', ended_at = clock_timestamp(), ended_because = :because
           where object_index_id = :from;

          update tidemark.object_index
             set role = 'live', switched_at = clock_timestamp(), ended_at = null,
                 ended_because = null, migrations = :migrations::jsonb
           where object_index_id = :to;

          update tidemark.object_type
             set serving_index_id = :to, previous_index_id = :previous
           where object_type_id = :type
          """);

  /**
   * Makes the replacement the live index, in one transaction, if it is complete and caught up, and
   * every process that answers queries has its newest generation open (D10). One that has another
   * number of objects than it must have ends here, and so does one of which nobody has decided what
   * becomes of edits made meanwhile (D8). Asked again after it has switched, it says so.
   *
   * @param revision of the replacement
   * @throws LedgerRefusal if there is no such replacement any more
   */
  public SwitchOutcome tryToSwitch(String name, int revision) {
    return database.transaction(
        connection -> {
          ObjectDefinitions.lock(connection, name);
          ObjectIndex live = live(connection, name);
          return live.revision() == revision
              ? new SwitchOutcome(true, "")
              : tryToSwitch(connection, live, replacement(connection, name, revision));
        });
  }

  private static ObjectIndex replacement(Connection connection, String name, int revision)
      throws SQLException {
    return ObjectDefinitions.in(connection, name, Role.REPLACEMENT)
        .filter(next -> next.revision() == revision)
        .orElseThrow(
            () ->
                new LedgerRefusal(
                    LedgerRefusal.Kind.REFUSED,
                    "object_type",
                    "'%s' has no replacement of revision %d any more".formatted(name, revision)));
  }

  private static SwitchOutcome tryToSwitch(
      Connection connection, ObjectIndex live, ObjectIndex next) throws SQLException {
    String waits = SwitchGate.waits(connection, live, next);
    if (waits != null) {
      return new SwitchOutcome(false, waits);
    }
    long edits =
        HOLD.on(connection)
            .set("type", live.typeId())
            .list(row -> row.number("edit_offset"))
            .get(0);
    List<String> undecided = ObjectDefinitions.undecided(connection, live, next.type());
    String never =
        undecided.isEmpty()
            ? SwitchGate.differs(connection, live, next)
            : String.join("; ", undecided);
    if (never != null) {
      end(connection, next.id(), never);
      return new SwitchOutcome(false, never);
    }
    List<MigratedEdits> bounded =
        next.migrations().stream()
            .map(one -> new MigratedEdits(Math.min(one.through(), edits), one.migrations()))
            .toList();
    put(connection, live, next, bounded, "replaced by revision " + next.revision());
    return new SwitchOutcome(true, "");
  }

  private static void put(
      Connection connection,
      ObjectIndex from,
      ObjectIndex to,
      List<MigratedEdits> migrations,
      String because)
      throws SQLException {
    SWITCH
        .on(connection)
        .set("type", from.typeId())
        .set("from", from.id())
        .set("to", to.id())
        .set("previous", from.built().generation() > 0 ? (Long) from.id() : null)
        .set("migrations", Document.text(migrations))
        .set("because", because)
        .update();
  }

  private static final Sql PREVIOUS =
      Sql.of(
          """
          select i.*
            from tidemark.object_type t
            join tidemark.object_index i on i.object_index_id = t.previous_index_id
           where t.object_type_id = :type and i.role = 'replaced'
          """);

  /**
   * Has queries answered from the index before the last switch again, at once; it then catches up.
   * A replacement that is being built ends.
   *
   * @return the index that is served now
   * @throws LedgerRefusal if there is none to go back to
   */
  public ObjectIndex rollBack(String name) {
    return database.transaction(
        connection -> {
          ObjectDefinitions.lock(connection, name);
          ObjectIndex live = live(connection, name);
          HOLD.on(connection).set("type", live.typeId()).results(row -> {});
          ObjectIndex previous =
              PREVIOUS
                  .on(connection)
                  .set("type", live.typeId())
                  .first(ObjectIndex::of)
                  .orElseThrow(
                      () ->
                          new LedgerRefusal(
                              LedgerRefusal.Kind.REFUSED,
                              "object_type",
                              "'%s' was never switched: there is no index to go back to"
                                  .formatted(name)));
          Optional<ObjectIndex> building = ObjectDefinitions.in(connection, name, Role.REPLACEMENT);
          if (building.isPresent()) {
            end(connection, building.get().id(), "the object type was rolled back");
          }
          put(connection, live, previous, previous.migrations(), "rolled back");
          return previous;
        });
  }
}
