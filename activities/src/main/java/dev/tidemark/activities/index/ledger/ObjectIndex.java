package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.workflows.index.ObjectType;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An index of an object type with one definition.
 *
 * @param id for ever
 * @param typeId of the object type
 * @param revision of its definition, from 1
 * @param type the definition
 * @param migrations what becomes of edits made under earlier definitions, the oldest first
 * @param built its newest generation
 */
public record ObjectIndex(
    long id,
    int typeId,
    int revision,
    Role role,
    ObjectType type,
    List<MigratedEdits> migrations,
    Built built) {
  public ObjectIndex {
    migrations = List.copyOf(migrations);
  }

  /** What an index is there for. */
  public enum Role {
    /** Kept up to date, and what queries are answered from once it has been built. */
    LIVE,
    /** To become the live one. */
    REPLACEMENT,
    /** Was the live one; can be again, by a rollback. */
    REPLACED,
    /** Never became the live one. */
    FAILED;

    static Role of(Row row) throws SQLException {
      return valueOf(row.text("role").toUpperCase(Locale.ROOT));
    }

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * The newest generation.
   *
   * @param generation 0 before the first build has succeeded
   * @param manifest the address of its manifest; null before
   * @param objects that queries can see
   * @param editOffset edits up to here are in it
   * @param token of the newest build, which may not have succeeded
   */
  public record Built(
      long generation, @Nullable String manifest, long objects, long editOffset, long token) {}

  /** From the columns of object_index. */
  static ObjectIndex of(Row row) throws SQLException {
    Long objects = row.numberOrNull("objects");
    return new ObjectIndex(
        row.number("object_index_id"),
        row.integer("object_type_id"),
        row.integer("revision"),
        Role.of(row),
        Document.type(row.text("definition")),
        Document.migrations(row.text("migrations")),
        new Built(
            row.number("generation"),
            row.textOrNull("manifest"),
            objects == null ? 0 : objects,
            row.number("edit_offset"),
            row.number("token")));
  }
}
