package dev.tidemark.activities.index.serve;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What every process that answers questions is to have open. */
final class WantedIndexes {
  private final Database database;

  WantedIndexes(DataSource ledger) {
    this.database = new Database(ledger);
  }

  /**
   * An index to have open.
   *
   * @param type its name
   * @param editOffset the newest edit's of the type
   * @param serving the index that questions of the type are answered from; null before the first
   * @param index this one
   * @param generation its newest; 0 while there is none to open
   */
  record Wanted(String type, long editOffset, @Nullable Long serving, long index, long generation) {
    private static Wanted of(Row row) throws SQLException {
      return new Wanted(
          row.text("name"),
          row.number("edit_offset"),
          row.numberOrNull("serving_index_id"),
          row.number("object_index_id"),
          row.number("generation"));
    }
  }

  /** The one before the last switch stays for an hour: a rollback to it takes no time then. */
  private static final Sql ALL =
      Sql.of(
          """
          select t.name, t.edit_offset, t.serving_index_id, i.object_index_id, i.generation
            from tidemark.object_type t
            join tidemark.object_index i using (object_type_id)
           where t.removed_at is null
             and (i.role in ('live', 'replacement')
                  or i.object_index_id = t.serving_index_id
                  or (i.object_index_id = t.previous_index_id
                      and exists (select from tidemark.object_index s
                                   where s.object_index_id = t.serving_index_id
                                     and s.switched_at > clock_timestamp() - interval '1 hour')))
           order by t.name, i.object_index_id
          """);

  /** All of them, by type. */
  List<Wanted> all() {
    return database.roundTrip(connection -> ALL.on(connection).list(Wanted::of));
  }
}
