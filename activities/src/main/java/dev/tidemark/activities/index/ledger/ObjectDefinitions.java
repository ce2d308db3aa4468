package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.Differences;
import dev.tidemark.workflows.index.EditMigration;
import dev.tidemark.workflows.index.ObjectType;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/** The registration of object types: what a definition changes, and the indexes that it needs. */
public final class ObjectDefinitions {
  private final Database database;

  public ObjectDefinitions(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * What a registration does.
   *
   * @param differences one line for each value that differs
   */
  public record Change(Kind kind, List<String> differences) {
    public Change {
      differences = List.copyOf(differences);
    }

    /** The kinds. */
    public enum Kind {
      CREATED,
      UNCHANGED,
      /** Taken over at once: the live index goes on. */
      IN_PLACE,
      /** Another index is built, and takes the place of the live one (D8). */
      REPLACEMENT
    }
  }

  /**
   * Registers a definition; one that is equal to the present one changes nothing.
   *
   * @throws LedgerRefusal of kind REFUSED where people have to decide what becomes of edits
   */
  public Change register(ObjectType type) {
    return database.transaction(
        connection -> {
          lock(connection, type.name());
          Change change = compare(connection, type);
          switch (change.kind()) {
            case CREATED -> create(connection, type);
            case IN_PLACE -> takeOver(connection, type);
            case REPLACEMENT -> replace(connection, type);
            case UNCHANGED -> {}
          }
          return change;
        });
  }

  /** What {@link #register} would do; changes nothing. */
  public Change preview(ObjectType type) {
    return database.transaction(connection -> compare(connection, type));
  }

  private static final Sql LOCK =
      Sql.of("select pg_advisory_xact_lock(hashtext('tidemark.objects'), hashtext(:name))");

  /** Registrations, switches and rollbacks of one type come one after another. */
  static void lock(Connection connection, String name) throws SQLException {
    LOCK.on(connection).set("name", name).results(row -> {});
  }

  private static final Sql PRESENT =
      Sql.of(
          """
          select i.*
            from tidemark.object_type t
            join tidemark.object_index i using (object_type_id)
           where t.name = :name and t.removed_at is null and i.role = :role
          """);

  static Optional<ObjectIndex> in(Connection connection, String name, ObjectIndex.Role role)
      throws SQLException {
    return PRESENT.on(connection).set("name", name).set("role", role.text()).first(ObjectIndex::of);
  }

  private static Change compare(Connection connection, ObjectType type) throws SQLException {
    Optional<ObjectIndex> live = in(connection, type.name(), ObjectIndex.Role.LIVE);
    if (live.isEmpty()) {
      return new Change(Change.Kind.CREATED, List.of());
    }
    ObjectType present =
        in(connection, type.name(), ObjectIndex.Role.REPLACEMENT).orElse(live.get()).type();
    List<String> differences = Differences.of(Document.tree(present), Document.tree(type));
    if (differences.isEmpty()) {
      return new Change(Change.Kind.UNCHANGED, List.of());
    }
    if (!new DefinitionChange(present, type).needsReplacement()) {
      return new Change(Change.Kind.IN_PLACE, differences);
    }
    if (!new DefinitionChange(live.get().type(), type).needsReplacement()) {
      return new Change(Change.Kind.IN_PLACE, differences);
    }
    List<String> undecided = undecided(connection, live.get(), type);
    if (!undecided.isEmpty()) {
      throw new LedgerRefusal(
          LedgerRefusal.Kind.REFUSED,
          "object-types." + type.name() + ".migrate-edits",
          String.join("; ", undecided));
    }
    return new Change(Change.Kind.REPLACEMENT, differences);
  }

  /** What people have to decide of their edits before the definition can take over. */
  static List<String> undecided(Connection connection, ObjectIndex live, ObjectType type)
      throws SQLException {
    return new DefinitionChange(live.type(), type)
        .undecided(edited(connection, live), hasEdits(connection, live));
  }

  /** The properties that people have ever set, as the live index calls them. */
  private static Set<String> edited(Connection connection, ObjectIndex live) throws SQLException {
    Set<String> names = new LinkedHashSet<>(Edits.properties(connection, live.typeId()));
    for (MigratedEdits migrated : live.migrations()) {
      for (EditMigration migration : migrated.migrations()) {
        if (migration instanceof EditMigration.Move move && names.contains(move.from())) {
          names.add(move.to());
        }
      }
    }
    return names;
  }

  private static final Sql HAS_EDITS =
      Sql.of(
          "select edit_offset > 0 as edited from tidemark.object_type where object_type_id ="
              + " :type");

  private static boolean hasEdits(Connection connection, ObjectIndex live) throws SQLException {
    return HAS_EDITS
        .on(connection)
        .set("type", live.typeId())
        .first(row -> row.flag("edited"))
        .orElse(false);
  }

  private static final Sql CREATE =
      Sql.of(
          """
          with created as (
            insert into tidemark.object_type (name) values (:name)
            returning object_type_id)
          insert into tidemark.object_index (object_type_id, revision, definition, role, cause)
          select object_type_id, 1, :definition::jsonb, 'live', 'source' from created
          """);

  private static void create(Connection connection, ObjectType type) throws SQLException {
    CREATE
        .on(connection)
        .set("name", type.name())
        .set("definition", Document.tree(type).toString())
        .update();
  }

  private static final Sql TAKE_OVER =
      Sql.of(
          """
          update tidemark.object_index
             set definition = :definition::jsonb
           where object_index_id = :index
          """);

  /** A replacement that goes on takes it over too; one that is not asked for any more ends. */
  private static void takeOver(Connection connection, ObjectType type) throws SQLException {
    ObjectIndex live = in(connection, type.name(), ObjectIndex.Role.LIVE).orElseThrow();
    Optional<ObjectIndex> replacement = in(connection, type.name(), ObjectIndex.Role.REPLACEMENT);
    if (replacement.isPresent()
        && !new DefinitionChange(replacement.get().type(), type).needsReplacement()) {
      write(connection, replacement.get(), type);
      return;
    }
    if (replacement.isPresent()) {
      Replacements.end(connection, replacement.get().id(), "its definition was taken back");
    }
    write(connection, live, type);
  }

  private static void write(Connection connection, ObjectIndex index, ObjectType type)
      throws SQLException {
    TAKE_OVER
        .on(connection)
        .set("index", index.id())
        .set("definition", Document.tree(type).toString())
        .update();
  }

  private static void replace(Connection connection, ObjectType type) throws SQLException {
    ObjectIndex live = in(connection, type.name(), ObjectIndex.Role.LIVE).orElseThrow();
    Optional<ObjectIndex> other = in(connection, type.name(), ObjectIndex.Role.REPLACEMENT);
    if (other.isPresent()) {
      Replacements.end(connection, other.get().id(), "another definition was applied");
    }
    List<EditMigration> migrations = new DefinitionChange(live.type(), type).newMigrations();
    List<MigratedEdits> chain = new ArrayList<>(live.migrations());
    if (!migrations.isEmpty()) {
      chain.add(new MigratedEdits(MigratedEdits.OPEN, migrations));
    }
    Replacements.open(connection, live, type, chain, "schema");
  }
}
