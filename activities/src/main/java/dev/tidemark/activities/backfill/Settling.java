package dev.tidemark.activities.backfill;

import dev.tidemark.activities.ledger.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Derives the states of items and backfills from the rows (c-B8): nothing has to tell a backfill
 * that it is done, and it is worked out anew each time somebody looks.
 */
final class Settling {
  private Settling() {}

  private static final Sql UNSETTLED =
      Sql.of(
          """
          select backfill_id
            from tidemark.backfill
           where (:pipeline::integer is null or pipeline_id = :pipeline)
             and (:backfill::text is null or backfill_id = :backfill)
             and (ended_at is null or state = 'failed')
           order by backfill_id
          """);

  private static final Sql COMPLETE =
      Sql.of(
          """
          update tidemark.backfill_item i
             set state = 'completed'
            from tidemark.partition_ledger l
           where i.backfill_id = any(:backfills::text[])
             and i.state = 'requested'
             and l.id = i.row_id
             and l.done_gen >= i.wanted_gen
          """);

  // What runs of a cancelled backfill is left to finish; the rest of it is cancelled.
  private static final Sql CANCEL =
      Sql.of(
          """
          with ended as (
            update tidemark.backfill_item i
               set state = 'cancelled',
                   cancelled_because = %1$s
              from tidemark.backfill b
              join tidemark.pipeline p using (pipeline_id)
              join tidemark.revision r using (pipeline_id, revision)
             cross join lateral (
                  select (r.definition #>> '{integration,frozen}')::boolean as frozen) f,
                   tidemark.partition_ledger l
              left join tidemark.expected_slice e
                on e.pipeline_id = l.pipeline_id and e.slice = l.slice
             where i.backfill_id = any(:backfills::text[])
               and i.state = 'requested'
               and b.backfill_id = i.backfill_id
               and l.id = i.row_id
               and l.claim_id is null
               and (b.state = 'cancelled' or %1$s is not null)
            returning i.backfill_id
          )
          select distinct backfill_id
            from ended
          """
              .formatted(Items.OBSTACLE));

  // In a stateful pipeline what comes after a parked partition is held back as well.
  private static final Sql DERIVE =
      Sql.of(
          """
          update tidemark.backfill b
             set state = d.state,
                 ended_at = case
                   when d.open = 0 or d.state = 'failed' then coalesce(b.ended_at, clock_timestamp())
                 end
            from (
              select b.backfill_id, c.open,
                     case
                       when b.state = 'cancelled' then b.state
                       when c.open = 0 then 'completed'
                       when b.state = 'paused' then b.state
                       when c.open = c.parked then 'failed'
                       when c.completed > 0 or c.live > 0 then 'running'
                       else 'requested'
                     end as state
                from tidemark.backfill b
               cross join lateral (
                  select count(*) filter (where i.state = 'requested') as open,
                         count(*) filter (where i.state = 'completed') as completed,
                         count(*) filter (where l.parked_at is not null or behind.parked) as parked,
                         count(l.claim_id) as live
                    from tidemark.backfill_item i
                    left join tidemark.partition_ledger l
                      on l.id = i.row_id
                     and i.state = 'requested'
                   cross join lateral (
                        select l.predecessor_now is not null and l.window_start > (
                                 select min(e.window_start)
                                   from tidemark.partition_ledger e
                                  where e.pipeline_id = l.pipeline_id and e.slice = l.slice
                                    and e.predecessor_now is not null and e.parked_at is not null
                                    and (e.unsettled or e.outdated)) as parked) behind
                   where i.backfill_id = b.backfill_id) c
               where b.backfill_id = any(:backfills::text[])) d
           where b.backfill_id = d.backfill_id
             and (b.state <> d.state or (b.ended_at is null) <> (d.open > 0 and d.state <> 'failed'))
          """);

  /** Whether no backfill of the pipeline is left to settle. */
  static boolean isSettled(Connection connection, int pipelineId) throws SQLException {
    return unsettled(connection, pipelineId, null).isEmpty();
  }

  /** Settles the items of a pipeline's backfills. */
  static void settlePipeline(Connection connection, int pipelineId) throws SQLException {
    settle(connection, unsettled(connection, pipelineId, null));
  }

  /** Settles the items of one backfill. */
  static void settleOne(Connection connection, String backfillId) throws SQLException {
    settle(connection, unsettled(connection, null, backfillId));
  }

  private static List<String> unsettled(
      Connection connection, @Nullable Integer pipelineId, @Nullable String backfillId)
      throws SQLException {
    return UNSETTLED
        .on(connection)
        .set("pipeline", pipelineId)
        .set("backfill", backfillId)
        .list(row -> row.text("backfill_id"));
  }

  private static void settle(Connection connection, List<String> backfillIds) throws SQLException {
    if (backfillIds.isEmpty()) {
      return;
    }
    COMPLETE.on(connection).set("backfills", backfillIds).update();
    List<String> cancelled =
        CANCEL.on(connection).set("backfills", backfillIds).list(row -> row.text("backfill_id"));
    Items.recompute(connection, cancelled);
    DERIVE.on(connection).set("backfills", backfillIds).update();
  }
}
