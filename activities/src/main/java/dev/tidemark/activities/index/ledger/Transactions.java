package dev.tidemark.activities.index.ledger;

import dev.tidemark.activities.index.source.Found;
import dev.tidemark.activities.index.source.Transaction;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.Datasource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What the datasources of an index have brought, and what of it the index has taken in. */
public final class Transactions {
  private final Database database;

  public Transactions(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  private static final Sql REMEMBER =
      Sql.of(
          """
          update tidemark.object_transaction t
             set removed_at = clock_timestamp()
           where t.object_index_id = :index and t.datasource = :datasource and t.removed_at is null
             and not exists (
               select from unnest(:identities::text[], :versions::text[]) as f (identity, version)
                where f.identity = t.identity and f.version = t.version);

          insert into tidemark.object_transaction
                 (object_index_id, datasource, number, identity, version, committed_at)
          select :index, :datasource, nextval('tidemark.object_transaction_number'),
                 f.identity, f.version, f.committed_at
            from unnest(:identities::text[], :versions::text[], :times::timestamptz[])
                   with ordinality as f (identity, version, committed_at, place)
           where not exists (
             select from tidemark.object_transaction t
              where t.object_index_id = :index and t.datasource = :datasource
                and t.removed_at is null and t.identity = f.identity and t.version = f.version)
           order by f.place
          """);

  /**
   * Remembers what a datasource has now: what is new gets a number, in this order; what is gone is
   * marked so. A number is never given twice.
   */
  static void remember(
      Connection connection, ObjectIndex index, Datasource datasource, List<Found> found)
      throws SQLException {
    REMEMBER
        .on(connection)
        .set("index", index.id())
        .set("datasource", datasource.name())
        .set("identities", found.stream().map(Found::identity).toList())
        .set("versions", found.stream().map(Found::version).toList())
        .set("times", found.stream().map(Found::committedAt).toList())
        .update();
  }

  private static final Sql TAKEN_JUST_NOW =
      Sql.of(
          """
          select exists (
            select from tidemark.object_transaction t
              join tidemark.object_build b using (object_index_id, generation)
             where t.object_index_id = :index and t.datasource = :datasource
               and t.removed_at is null and b.state = 'completed'
               and b.ended_at > clock_timestamp() - :pause * interval '1 millisecond') as recent
          """);

  /** Whether a build that ended less than a pause ago has taken in what the datasource had. */
  static boolean takenWithin(
      Connection connection, ObjectIndex index, Datasource datasource, Duration pause)
      throws SQLException {
    return TAKEN_JUST_NOW
        .on(connection)
        .set("index", index.id())
        .set("datasource", datasource.name())
        .set("pause", pause.toMillis())
        .first(row -> row.flag("recent"))
        .orElse(false);
  }

  private static final Sql NEW =
      Sql.of(
          """
          select t.datasource, t.number, t.identity, t.version,
                 array(
                   select e.number::text
                     from tidemark.object_transaction e
                    where not :everything and e.object_index_id = t.object_index_id
                      and e.datasource = t.datasource and e.identity = t.identity
                      and e.number < t.number and e.generation is not null) as earlier
            from tidemark.object_transaction t
           where t.object_index_id = :index and t.removed_at is null
             and (:everything or t.generation is null)
           order by t.datasource, t.number
          """);

  /**
   * What is new, by datasource and in order; in a full build, all that there is. A datasource with
   * nothing new is not in it.
   */
  static SortedMap<String, List<Transaction>> toTakeIn(
      Connection connection, long index, boolean everything) throws SQLException {
    SortedMap<String, List<Transaction>> transactions = new TreeMap<>();
    NEW.on(connection)
        .set("index", index)
        .set("everything", everything)
        .results(
            row ->
                transactions
                    .computeIfAbsent(row.text("datasource"), name -> new ArrayList<>())
                    .add(
                        new Transaction(
                            row.number("number"),
                            row.text("identity"),
                            row.text("version"),
                            row.texts("earlier").stream().map(Long::valueOf).toList())));
    return transactions;
  }

  /** What a build takes in of a datasource, in order. */
  public List<Transaction> of(Build build, String datasource) {
    return database
        .roundTrip(connection -> toTakeIn(connection, build.index(), build.full()))
        .getOrDefault(datasource, List.of());
  }

  private static final Sql GONE =
      Sql.of(
          """
          select distinct t.datasource
            from tidemark.object_transaction t
           where t.object_index_id = :index and t.removed_at is not null
             and t.generation is not null
             and not exists (
               select from tidemark.object_transaction n
                where n.object_index_id = t.object_index_id and n.datasource = t.datasource
                  and n.identity = t.identity and n.removed_at is null)
          """);

  /**
   * The datasources of which the index has taken in what is not there any more; what was written
   * anew is there.
   */
  static List<String> withGone(Connection connection, ObjectIndex index) throws SQLException {
    return GONE.on(connection).set("index", index.id()).list(row -> row.text("datasource"));
  }

  private static final Sql LOST =
      Sql.of(
          """
          select d ->> 'name' as datasource, t.identity
            from tidemark.object_index i
           cross join jsonb_array_elements(i.definition -> 'datasources') d
            join tidemark.object_index l
              on l.object_type_id = i.object_type_id
             and (l.object_index_id = i.object_index_id or i.generation = 0 and l.role = 'live')
            join tidemark.object_transaction t
              on t.object_index_id = l.object_index_id and t.datasource = d ->> 'name'
             and t.generation is not null
             and (l.object_index_id <> i.object_index_id or t.removed_at is not null)
           where i.object_index_id = :index and d -> 'kind' ->> 'kind' = 'snapshot'
             and not exists (
               select from tidemark.object_transaction n
                where n.object_index_id = i.object_index_id
                  and n.datasource = t.datasource and n.removed_at is null)
           order by t.number desc
           limit 1
          """);

  /**
   * Why all cannot be read anew; null where it can. A snapshot that was taken in and is gone, with
   * none in its place, says nothing any more: its objects stay as they are known, and would be lost
   * in an index that is made without it. A replacement asks what the live index has taken in, which
   * may not have noticed yet that it is gone.
   */
  static @Nullable String lostSnapshot(Connection connection, ObjectIndex index)
      throws SQLException {
    return LOST.on(connection)
        .set("index", index.id())
        .first(
            row ->
                "all has to be read anew, and the snapshot datasource '%1$s' has nothing to read: its '%2$s' is gone; what it said stays in the index that is served until '%1$s' has another one"
                    .formatted(row.text("datasource"), row.text("identity")))
        .orElse(null);
  }

  // A row that a transaction gave and gives again names the older number until it changes: numbers
  // of what is still there stay known until everything is read. A snapshot needs none, but the one
  // that is gone without another one in its place: what it said is in the index.
  private static final Sql TAKEN_IN =
      Sql.of(
          """
          delete from tidemark.object_transaction t
           using (select d ->> 'name' as name, d -> 'kind' ->> 'kind' = 'snapshot' as is_snapshot
                    from tidemark.object_index i,
                         jsonb_array_elements(i.definition -> 'datasources') d
                   where i.object_index_id = :index) s
           where t.object_index_id = :index and t.removed_at is not null and s.name = t.datasource
             and (t.generation is null
               or :everything and not s.is_snapshot
               or s.is_snapshot = exists (
                 select from tidemark.object_transaction n
                  where n.object_index_id = t.object_index_id and n.datasource = t.datasource
                    and (s.is_snapshot or n.identity = t.identity) and n.removed_at is null));

          update tidemark.object_transaction
             set generation = :generation
           where object_index_id = :index and removed_at is null
             and (:everything or generation is null)
          """);

  /** A build has succeeded. */
  static void takenIn(Connection connection, Build build) throws SQLException {
    TAKEN_IN
        .on(connection)
        .set("index", build.index())
        .set("generation", build.generation())
        .set("everything", build.full())
        .update();
  }
}
