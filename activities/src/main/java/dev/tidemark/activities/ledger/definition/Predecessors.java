package dev.tidemark.activities.ledger.definition;

import dev.tidemark.activities.ledger.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Which commit comes before each window of a stateful pipeline (C20): recorded with the window, so
 * that one whose predecessor was committed again is found without a search. A settle writes it for
 * the window after its own; what changes which window comes before which writes it here.
 */
public final class Predecessors {
  private Predecessors() {}

  /** Settles hold the same lock shared: neither sees half of what the other does. */
  private static final Sql LOCK =
      Sql.of("select pg_advisory_xact_lock(hashtext('tidemark.chain'), :pipeline)");

  /** Before a transaction changes which windows a pipeline expects; until its end. */
  public static void lock(Connection connection, int pipelineId) throws SQLException {
    LOCK.on(connection).set("pipeline", pipelineId).list(row -> true);
  }

  /** What is committed and does not know what it was built on goes by what is there now. */
  public static final String LINK =
      """
      with changed as (
        select l.id, l.pipeline_id, l.slice, l.window_start
          from tidemark.partition_ledger l
         where l.id = any(:ids::bigint[]) and l.predecessor_now is not null),
      linked as (
        select l.id, tidemark.predecessor_token(l.pipeline_id, l.slice, l.window_start) as token
          from tidemark.partition_ledger l
         where l.id = any(array(
                 select id from changed
                 union
                 select tidemark.successor(pipeline_id, slice, window_start) from changed)))
      update tidemark.partition_ledger l
         set predecessor_now = linked.token,
             predecessor = case when l.committed_token is null then l.predecessor
                                else coalesce(l.predecessor, linked.token) end
        from linked
       where l.id = linked.id
         and (l.predecessor_now <> linked.token
           or (l.committed_token is not null and l.predecessor is null))
      """;

  private static final Sql LINK_ROWS = Sql.of(LINK);

  /** After these rows came, went, or were committed: links them and those after them. */
  public static void link(Connection connection, List<Long> ids) throws SQLException {
    if (!ids.isEmpty()) {
      LINK_ROWS.on(connection).set("ids", ids).update();
    }
  }

  /**
   * Looks for rows without a link only where the definition changed since. What was committed
   * before the pipeline became stateful is taken to build on what is there: nothing reruns by
   * itself.
   */
  private static final Sql ADOPT =
      Sql.of(
          """
          update tidemark.partition_ledger l
             set predecessor_now = adopted.token,
                 predecessor = case when l.committed_token is not null and adopted.counts
                                    then coalesce(l.predecessor, adopted.token) end
            from (
              select m.id, m.counts,
                     case when m.counts
                       then coalesce(lag(m.committed_token)
                              over (partition by m.slice, m.counts order by m.window_start), 0)
                       else 0 end as token
                from (
                  select r.*, r.expected and r.excused_at is null and r.skipped_at is null as counts
                    from tidemark.partition_ledger r
                   where r.pipeline_id = :pipeline) m) adopted
           where l.id = adopted.id and l.predecessor_now is null
             and exists (select from tidemark.expected_slice
                          where pipeline_id = :pipeline and revision <> :revision)
          """);

  /** When a pipeline has become stateful. */
  static void adopt(Connection connection, RegisteredPipeline pipeline) throws SQLException {
    ADOPT
        .on(connection)
        .set("pipeline", pipeline.id())
        .set("revision", pipeline.revision())
        .update();
  }

  private static final Sql FORGET =
      Sql.of(
          """
          update tidemark.partition_ledger
             set predecessor_now = null
           where pipeline_id = :pipeline and predecessor_now is not null
          """);

  /** When a pipeline is stateful no more; costs nothing where it never was. */
  static void forget(Connection connection, RegisteredPipeline pipeline) throws SQLException {
    FORGET.on(connection).set("pipeline", pipeline.id()).update();
  }
}
