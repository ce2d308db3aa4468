package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import javax.sql.DataSource;

/**
 * Forgets builds and their jobs after thirty days, and beyond the newest thousand of an index; and
 * what an index has taken in that nobody can switch to any more. Never what the next build, a
 * rollback, or a look at the newest build needs.
 */
public final class OldBuilds {
  private static final int MOST = 1_000;

  private final Database database;

  public OldBuilds(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  // The files of the newest two generations are kept by their builds' tokens, and those of the last
  // hour; what the newest build said decides whether it is tried again.
  private static final Sql FORGET =
      Sql.of(
          """
          with old as (
            select b.build_id
              from tidemark.object_index i
             cross join lateral (
               select n.*, row_number() over (order by n.build_id desc) as place,
                      max(n.build_id) filter (where n.state in ('completed', 'failed')) over ()
                        as newest
                 from tidemark.object_build n
                where n.object_index_id = i.object_index_id) b
             where i.object_type_id = :type
               and (b.place > :most or b.ended_at < clock_timestamp() - interval '30 days')
               and b.ended_at < clock_timestamp() - interval '1 hour'
               and b.build_id is distinct from b.newest
               and not (b.state = 'completed' and b.generation >= i.generation - 1)),
          jobs as (
            delete from tidemark.object_job j using old where j.build_id = old.build_id)
          delete from tidemark.object_build b using old where b.build_id = old.build_id;

          delete from tidemark.object_transaction t
           using tidemark.object_index i
            join tidemark.object_type o using (object_type_id)
           where o.object_type_id = :type and t.object_index_id = i.object_index_id
             and i.role in ('failed', 'replaced')
             and i.object_index_id is distinct from o.serving_index_id
             and i.object_index_id is distinct from o.previous_index_id
          """);

  /** Those of an object type. */
  public void forget(int typeId) {
    database.transaction(
        connection -> FORGET.on(connection).set("type", typeId).set("most", MOST).update());
  }
}
