package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.index.source.Sources;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditMigration;
import dev.tidemark.workflows.index.ObjectType;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a replacement must have before queries are answered from it. */
final class SwitchGate {
  private SwitchGate() {}

  /** What one index has taken in of datasources that both read, and the other one has not. */
  private static final Sql BEHIND =
      Sql.of(
          """
          select l.datasource || ' ' || l.identity as missing
            from tidemark.object_transaction l
           where l.object_index_id = :one and l.generation is not null and l.removed_at is null
             and l.datasource = any(:shared)
             and not exists (
               select from tidemark.object_transaction r
                where r.object_index_id = :other and r.datasource = l.datasource
                  and r.identity = l.identity and r.generation is not null
                  and (r.version = l.version or r.committed_at >= l.committed_at))
           limit 3
          """);

  private static final Sql WAITING =
      Sql.of(
          """
          select p.process
            from (select distinct process
                    from tidemark.object_serving
                   where object_type_id = :type and seen_until > clock_timestamp()) p
           where not exists (
             select from tidemark.object_serving s
              where s.process = p.process and s.object_index_id = :replacement
                and s.generation >= :generation)
           limit 3
          """);

  /** What the replacement waits for; null where it is caught up and open everywhere. */
  static @Nullable String waits(Connection connection, ObjectIndex live, ObjectIndex next)
      throws SQLException {
    if (next.built().generation() == 0) {
      return "its first build has not succeeded yet";
    }
    List<String> behind = behind(connection, live, next);
    if (!behind.isEmpty()) {
      return "the live index has more: " + String.join(", ", behind);
    }
    List<String> waiting =
        WAITING
            .on(connection)
            .set("type", live.typeId())
            .set("replacement", next.id())
            .set("generation", next.built().generation())
            .list(row -> row.text("process"));
    return waiting.isEmpty() ? null : "it is not open yet in " + String.join(", ", waiting);
  }

  private static List<String> behind(Connection connection, ObjectIndex one, ObjectIndex other)
      throws SQLException {
    return BEHIND
        .on(connection)
        .set("one", one.id())
        .set("other", other.id())
        .set("shared", shared(one.type(), other.type()))
        .list(row -> row.text("missing"));
  }

  /**
   * Where both have taken in the same, of the same datasources and edits by the same rules, they
   * must have as many objects; null where they have, or where that cannot be said.
   */
  static @Nullable String differs(Connection connection, ObjectIndex live, ObjectIndex next)
      throws SQLException {
    boolean comparable =
        isAlike(live.type(), next.type())
            && next.migrations().stream()
                .noneMatch(edits -> edits.migrations().contains(new EditMigration.DropAll()))
            && live.built().generation() > 0
            && live.built().editOffset() == next.built().editOffset()
            && behind(connection, next, live).isEmpty();
    if (!comparable || live.built().objects() == next.built().objects()) {
      return null;
    }
    return "it has %d objects, and the live index %d of the same transactions and edits"
        .formatted(next.built().objects(), live.built().objects());
  }

  /** Whether an object of one is an object of the other. */
  private static boolean isAlike(ObjectType one, ObjectType other) {
    return one.primaryKey().equals(other.primaryKey())
        && one.datasources().size() == other.datasources().size()
        && shared(one, other).size() == one.datasources().size()
        && one.edits().conflicts().equals(other.edits().conflicts())
        && !one.edits().keepsEdited()
        && !other.edits().keepsEdited();
  }

  /**
   * The datasources that both read, and read the same way. Of one that is another at each look
   * neither ever has all.
   */
  private static List<String> shared(ObjectType live, ObjectType next) {
    return next.datasources().stream()
        .filter(source -> !Sources.isAlwaysNew(source))
        .filter(
            source ->
                live.datasources().stream()
                    .anyMatch(
                        other ->
                            other.name().equals(source.name())
                                && other.origin().equals(source.origin())
                                && other.kind().equals(source.kind())))
        .map(Datasource::name)
        .toList();
  }
}
