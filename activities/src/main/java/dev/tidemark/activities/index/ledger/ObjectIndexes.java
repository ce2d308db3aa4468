package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/** The indexes of object types, as they are. */
public final class ObjectIndexes {
  private final Database database;

  public ObjectIndexes(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  private static final Sql SERVED =
      Sql.of(
          """
          select i.*
            from tidemark.object_type t
            join tidemark.object_index i on i.object_index_id = t.serving_index_id
           where t.name = :type and t.removed_at is null
          """);

  /** What queries of the type are answered from; empty before its first build has succeeded. */
  public Optional<ObjectIndex> served(String type) {
    return database.roundTrip(
        connection -> SERVED.on(connection).set("type", type).first(ObjectIndex::of));
  }

  private static final Sql ALL =
      Sql.of(
          """
          select i.*
            from tidemark.object_type t
            join tidemark.object_index i using (object_type_id)
           where t.name = :type and t.removed_at is null
             and (i.role in ('live', 'replacement')
                  or i.object_index_id in (t.serving_index_id, t.previous_index_id)
                  or i.object_index_id in (
                    select n.object_index_id
                      from tidemark.object_index n
                     where n.object_type_id = t.object_type_id
                     order by n.revision desc
                     limit 50))
           order by i.revision desc
          """);

  /**
   * The newest fifty of the type and, however old, what is live, served, to replace it, or can be
   * rolled back to; the newest first. None if there is no such type.
   */
  public List<ObjectIndex> all(String type) {
    return database.roundTrip(
        connection -> ALL.on(connection).set("type", type).list(ObjectIndex::of));
  }

  /** The one of the type in a role that only one has: live or replacement. */
  public Optional<ObjectIndex> in(String type, ObjectIndex.Role role) {
    return database.roundTrip(connection -> ObjectDefinitions.in(connection, type, role));
  }

  private static final Sql BY_ID =
      Sql.of("select * from tidemark.object_index where object_index_id = :id");

  /** An index by its id. */
  public ObjectIndex get(long id) {
    return database.roundTrip(
        connection ->
            BY_ID
                .on(connection)
                .set("id", id)
                .first(ObjectIndex::of)
                .orElseThrow(() -> new IllegalStateException("there is no index " + id)));
  }

  private static final Sql BUILDING =
      Sql.of(
          """
          select i.object_index_id
            from tidemark.object_index i
            join tidemark.object_type t using (object_type_id)
           where t.removed_at is null and i.role in ('live', 'replacement')
          """);

  /** The ids of those that builds make generations of, of all types. */
  public Set<Long> building() {
    return database.roundTrip(
        connection ->
            Set.copyOf(BUILDING.on(connection).list(row -> row.number("object_index_id"))));
  }

  private static final Sql BYTES =
      Sql.of(
          """
          select j.bytes
            from tidemark.object_job j
            join tidemark.object_build b using (build_id)
           where b.object_index_id = :id and j.stage = 'index' and j.state = 'completed'
           order by j.job_id desc
           limit 1
          """);

  /** The size of its newest generation's files; 0 before the first. */
  public long bytes(ObjectIndex index) {
    return database.roundTrip(
        connection ->
            BYTES
                .on(connection)
                .set("id", index.id())
                .first(row -> row.number("bytes"))
                .orElse(0L));
  }
}
