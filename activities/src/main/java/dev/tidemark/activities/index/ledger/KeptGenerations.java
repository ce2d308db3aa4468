package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.sql.DataSource;

/**
 * Which generations somebody may still read: the newest two of each index that is served, built or
 * can be rolled back to, and those of the last hour.
 */
public final class KeptGenerations {
  private final Database database;

  public KeptGenerations(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  /**
   * Those of an index.
   *
   * @param objectType its name
   * @param location of its files, which another definition may have changed since
   * @param tokens of the builds that made them
   * @param before what is of a later build may be in the making
   */
  public record Kept(
      long index, String objectType, String location, Set<Long> tokens, long before) {}

  // Of an index that nobody can switch to any more nothing is kept, also where no build of it has
  // succeeded: its builds have ended.
  private static final Sql KEPT =
      Sql.of(
          """
          with indexes as (
            select i.object_index_id, i.generation, i.definition, t.name,
                   i.role in ('live', 'replacement')
                     or coalesce(
                          i.object_index_id in (t.serving_index_id, t.previous_index_id), false)
                     as is_used
              from tidemark.object_index i
              join tidemark.object_type t using (object_type_id)
             where i.object_type_id = :type
               and (i.ended_at is null or i.ended_at > clock_timestamp() - interval '30 days'
                 or i.object_index_id = t.previous_index_id))
          select i.object_index_id, i.name, i.definition ->> 'location' as location,
                 case when i.is_used then max(b.token) else 9223372036854775807 end as before,
                 array_agg(b.token::text) filter (
                   where (i.is_used and b.generation >= i.generation - 1)
                      or b.ended_at > clock_timestamp() - interval '1 hour') as tokens
            from indexes i
            left join tidemark.object_build b
              on b.object_index_id = i.object_index_id and b.state = 'completed'
           where b.build_id is not null or not i.is_used
           group by i.object_index_id, i.name, i.definition, i.is_used
           order by i.object_index_id
          """);

  /** Those of each index of an object type that has any generation, or needs none any more. */
  public List<Kept> of(int typeId) {
    return database.roundTrip(
        connection ->
            KEPT.on(connection)
                .set("type", typeId)
                .list(
                    row ->
                        new Kept(
                            row.number("object_index_id"),
                            row.text("name"),
                            row.text("location"),
                            row.texts("tokens").stream()
                                .map(Long::valueOf)
                                .collect(Collectors.toUnmodifiableSet()),
                            row.number("before"))));
  }
}
