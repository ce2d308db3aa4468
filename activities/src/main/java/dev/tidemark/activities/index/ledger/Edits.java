package dev.tidemark.activities.index.ledger;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.activities.index.ledger.EditReading.Made;
import dev.tidemark.activities.index.object.Edit;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The edits of people: durable before anybody sees them, numbered without gaps per object type. An
 * edit is never changed or removed; what an index sees of it, its definition says.
 */
public final class Edits {
  private final Database database;

  public Edits(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /** Locked until the edit is there: whoever sees an offset sees all before it. */
  private static final Sql LOCK =
      Sql.of(
          """
          select coalesce(serving_index_id, 0) as serving
            from tidemark.object_type
           where object_type_id = :type and removed_at is null
             for update
          """);

  private static final Sql FOUND =
      Sql.of(
          """
          select e.edit_offset, e.key, e.action, e.values::text as values, e.made_at,
                 i.migrations::text as migrations
            from tidemark.object_edit e
            join tidemark.object_index i on i.object_index_id = :index
           where e.object_type_id = :type and e.request_id = :request
          """);

  private static final Sql INSERT =
      Sql.of(
          """
          with numbered as (
            update tidemark.object_type set edit_offset = edit_offset + 1
             where object_type_id = :type
            returning edit_offset)
          insert into tidemark.object_edit
                 (object_type_id, edit_offset, request_id, key, action, values, made_by)
          select :type, edit_offset, :request, :key, :action, :values::jsonb, :by from numbered
          returning edit_offset, key, action, values::text as values, made_at,
                    (select i.migrations::text from tidemark.object_index i
                      where i.object_index_id = :index) as migrations
          """);

  /** The edit that a request has made, or empty if it was never sent. */
  public Optional<Edit> find(ObjectIndex index, String request) {
    return database.roundTrip(connection -> found(connection, index, request));
  }

  private static Optional<Edit> found(Connection connection, ObjectIndex index, String request)
      throws SQLException {
    return FOUND
        .on(connection)
        .set("type", index.typeId())
        .set("index", index.id())
        .set("request", request)
        .first(row -> edit(index, row));
  }

  /**
   * An edit that was made, with its values as the index sees them; without any if it sees nothing
   * of it.
   */
  private static Edit edit(ObjectIndex index, Row row) throws SQLException {
    Made made = made(row);
    return new EditReading(index.type(), Document.migrations(row.text("migrations")))
        .read(made)
        .orElseGet(
            () -> new Edit(made.offset(), made.key(), made.action(), Map.of(), made.madeAt()));
  }

  private static final Sql NEWER =
      Sql.of(
          """
          select edit_offset
            from tidemark.object_edit
           where object_type_id = :type and edit_offset > :seen and key = :key
           limit 1
          """);

  /**
   * Makes an edit durable.
   *
   * @param index that it was checked against: the one that is served
   * @param seen offset of the newest edit that it was checked against
   * @return the edit with its offset; the one that is there if the request was sent before; empty,
   *     with nothing made, if its object was edited meanwhile
   * @throws LedgerRefusal if another index is served by now, or the request id belongs to another
   *     edit
   */
  public Optional<Edit> append(ObjectIndex index, NewEdit edit, long seen) {
    Optional<Edit> made = database.transaction(connection -> append(connection, index, edit, seen));
    boolean isAnother =
        made.isPresent()
            && (!made.get().key().equals(edit.key()) || made.get().action() != edit.action());
    if (isAnother) {
      throw new LedgerRefusal(
          LedgerRefusal.Kind.INVALID,
          "request_id",
          "request '%s' has made another edit, of '%s'; give each edit an id of its own"
              .formatted(edit.requestId(), made.get().key()));
    }
    return made;
  }

  private static Optional<Edit> append(
      Connection connection, ObjectIndex index, NewEdit edit, long seen) throws SQLException {
    Optional<Long> serving =
        LOCK.on(connection).set("type", index.typeId()).first(row -> row.number("serving"));
    Optional<Edit> before = found(connection, index, edit.requestId());
    if (before.isPresent()) {
      return before;
    }
    if (!serving.equals(Optional.of(index.id()))) {
      throw new LedgerRefusal(
          LedgerRefusal.Kind.REFUSED,
          "object_type",
          "'%s' has just got another definition, or was removed; look at it and edit again"
              .formatted(index.type().name()));
    }
    boolean isNewer =
        NEWER
            .on(connection)
            .set("type", index.typeId())
            .set("seen", seen)
            .set("key", edit.key())
            .first(row -> row.number("edit_offset"))
            .isPresent();
    if (isNewer) {
      return Optional.empty();
    }
    return INSERT
        .on(connection)
        .set("type", index.typeId())
        .set("request", edit.requestId())
        .set("key", edit.key())
        .set("action", edit.action().name().toLowerCase(Locale.ROOT))
        .set("values", edit.values().toString())
        .set("by", edit.by())
        .set("index", index.id())
        .first(row -> edit(index, row));
  }

  private static final Sql AFTER =
      Sql.of(
          """
          select e.edit_offset, e.key, e.action, e.values::text as values, e.made_at,
                 i.migrations::text as migrations
            from tidemark.object_edit e
            join tidemark.object_index i
              on i.object_index_id = :index and i.object_type_id = e.object_type_id
           where e.edit_offset > :after and e.edit_offset <= :after + :limit
           order by e.edit_offset
          """);

  /**
   * The edits after an offset, as the index sees them: read together with its migrations, whose
   * bounds a switch sets.
   *
   * @param limit how many are looked at
   */
  public Page after(ObjectIndex index, long offset, int limit) {
    List<Made> made = new ArrayList<>();
    List<MigratedEdits> migrations = new ArrayList<>();
    database.roundTrip(
        connection -> {
          made.clear();
          AFTER
              .on(connection)
              .set("index", index.id())
              .set("after", offset)
              .set("limit", limit)
              .results(
                  row -> {
                    if (made.isEmpty()) {
                      migrations.clear();
                      migrations.addAll(Document.migrations(row.text("migrations")));
                    }
                    made.add(made(row));
                  });
          return made;
        });
    EditReading reading = new EditReading(index.type(), migrations);
    return new Page(
        made.stream().map(reading::read).flatMap(Optional::stream).toList(),
        made.isEmpty() ? offset : made.get(made.size() - 1).offset());
  }

  /**
   * Some edits, in order.
   *
   * @param edits those of which the index sees anything
   * @param through the newest that was looked at; the next page is after it. As asked for where
   *     there was none
   */
  public record Page(List<Edit> edits, long through) {
    public Page {
      edits = List.copyOf(edits);
    }
  }

  private static final Sql EDITED =
      Sql.of(
          """
          select distinct name
            from tidemark.object_edit, jsonb_object_keys(values) as keys (name)
           where object_type_id = :type
           order by name
          """);

  /** Every property that an edit of the type has ever set, as it was called then. */
  static List<String> properties(Connection connection, int type) throws SQLException {
    return EDITED.on(connection).set("type", type).list(row -> row.text("name"));
  }

  private static Made made(Row row) throws SQLException {
    Map<String, JsonNode> values = new LinkedHashMap<>();
    Document.parse(row.text("values"))
        .properties()
        .forEach(member -> values.put(member.getKey(), member.getValue()));
    return new Made(
        row.number("edit_offset"),
        row.text("key"),
        Edit.Action.valueOf(row.text("action").toUpperCase(Locale.ROOT)),
        values,
        row.instant("made_at"));
  }
}
