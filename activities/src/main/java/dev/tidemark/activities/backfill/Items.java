package dev.tidemark.activities.backfill;

import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.NamedPartitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.partition.Slice;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The pinned list of a backfill: what it holds, and what each of its rows is asked for. */
final class Items {
  /**
   * Why an item cannot run, as a reason code; null where it can. Of a row l, its slice's
   * expectation e (null where the slice is gone), and f.frozen.
   */
  static final String OBSTACLE =
      """
      case
        when not l.expected and e.slice is null then 'not_expected'
        when not l.expected and l.window_start >= e.since then 'after_end'
        when not l.expected and e.retained then 'retained_out'
        when not l.expected then 'before_since'
        when l.excused_at is not null then 'excused'
        when l.no_input and l.upstream_hold is null then 'no_input'
        when f.frozen and l.committed_token is not null and l.output_lost_at is null then 'frozen'
      end
      """;

  private Items() {}

  // One generation rule: a request that what runs will satisfy joins it; one that wants more asks
  // for one run after it; where nothing has begun, the next run serves everybody. The rows are
  // locked in id order, so that what is computed here still holds when they are asked for.
  private static final Sql PIN =
      Sql.of(
          """
          insert into tidemark.backfill_item (backfill_id, row_id, wanted_gen, state, cancelled_because)
          select c.backfill_id, c.id, c.wanted_gen,
                 case when c.obstacle is null then 'requested' else 'cancelled' end, c.obstacle
            from (
              select f.backfill_id, l.id,
                     case
                       when l.running_gen is null then greatest(l.requested_gen, l.done_gen + 1)
                       when f.joins then l.running_gen
                       else l.running_gen + 1
                     end as wanted_gen,
                     %s as obstacle
                from (select :backfill::text as backfill_id, :joins::boolean as joins,
                             :frozen::boolean as frozen) f
                join tidemark.partition_ledger l
                  on l.pipeline_id = :pipeline
                 and l.window_start between :first and :last
                left join tidemark.expected_slice e
                  on e.pipeline_id = l.pipeline_id and e.slice = l.slice
               where string_to_array(l.slice, '/') @> :slice::text[]
                 and (:whole or (l.partition, l.slice) in (
                   select * from unnest(:partitions::text[], :slices::text[])))
                 and case :mode
                       when 'missing' then l.committed_token is null or l.output_lost_at is not null
                         or l.failed_claims > 0 or l.parked_at is not null
                       when 'failed' then l.failed_claims > 0 or l.parked_at is not null
                       when 'late' then l.committed_token is not null
                         and (l.outdated or l.processed_version is not null
                           and l.input_version is distinct from l.processed_version)
                       when 'stale' then l.committed_token is not null
                         and l.definition <> :fingerprint
                       else true
                     end
               order by l.id
                 for update of l) c
          """
              .formatted(OBSTACLE));

  /** Writes the list down. Returns how many partitions it has. */
  static int pin(
      Connection connection, RegisteredPipeline pipeline, String backfillId, CheckedRequest request)
      throws SQLException {
    List<BackfillView.Item> only = request.asked().items();
    List<BackfillView.Item> named = only == null ? List.of() : only;
    return PIN.on(connection)
        .set("backfill", backfillId)
        .set("pipeline", pipeline.id())
        .set("first", request.from().start())
        .set("last", request.to().start())
        .set("slice", NamedPartitions.parts(request.slice()))
        .set("whole", only == null)
        .set("partitions", named.stream().map(BackfillView.Item::partition).toList())
        .set("slices", named.stream().map(item -> Slice.of(item.slice()).canonical()).toList())
        .set("mode", request.mode().name().toLowerCase(Locale.ROOT))
        .set("joins", request.joinsRunning())
        .set("frozen", pipeline.definition().integration().frozen())
        .set("fingerprint", pipeline.fingerprint())
        .update();
  }

  private static final Sql CONFLICT =
      Sql.of(
          """
          select b.backfill_id, l.partition, b.params::text as params
            from tidemark.backfill_item mine
            join tidemark.backfill_item theirs
              on theirs.row_id = mine.row_id
             and theirs.backfill_id <> mine.backfill_id
             and theirs.state = 'requested'
            join tidemark.backfill b
              on b.backfill_id = theirs.backfill_id
             and b.state in ('requested', 'running', 'paused', 'failed')
            join tidemark.backfill own
              on own.backfill_id = mine.backfill_id
             and own.params <> b.params
            join tidemark.partition_ledger l on l.id = mine.row_id
           where mine.backfill_id = :backfill
             and mine.state = 'requested'
           order by l.window_start, l.slice
           limit 1
          """);

  /**
   * Refuses parameters that differ from an active request's on the same partition: one run cannot
   * serve both.
   */
  static void refuseConflict(Connection connection, String backfillId) throws SQLException {
    Optional<String> conflict =
        CONFLICT
            .on(connection)
            .set("backfill", backfillId)
            .first(
                row ->
                    "params: %s already asks for partition %s with parameters %s; wait for it, or cancel it"
                        .formatted(
                            row.text("backfill_id"), row.text("partition"), row.text("params")));
    if (conflict.isPresent()) {
      throw new LedgerRefusal(LedgerRefusal.Kind.REFUSED, "params", conflict.get());
    }
  }

  private static final Sql COUNT_ALREADY_REQUESTED =
      Sql.of(
          """
          update tidemark.backfill
             set already_requested = (
                   select count(*)
                     from tidemark.backfill_item i
                     join tidemark.partition_ledger l on l.id = i.row_id
                    where i.backfill_id = :backfill
                      and i.state = 'requested'
                      and (l.requested_gen >= i.wanted_gen
                        or (l.claim_id is not null and l.running_gen >= i.wanted_gen)))
           where backfill_id = :backfill
          """);

  /** Notes how many of the items somebody else's request or a running attempt already delivers. */
  static void countAlreadyRequested(Connection connection, String backfillId) throws SQLException {
    COUNT_ALREADY_REQUESTED.on(connection).set("backfill", backfillId).update();
  }

  // A person's request also gives the rows a fresh start, except those that a claim is working on.
  private static final Sql ASK =
      Sql.of(
          """
          update tidemark.partition_ledger l
             set requested_gen = greatest(l.requested_gen, i.wanted_gen),
                 parked_at = null,
                 failures = case when l.claim_id is null then 0 else l.failures end,
                 failed_claims = 0,
                 failed_version = null,
                 lost = case when l.claim_id is null then 0 else l.lost end,
                 next_attempt_at = case when l.claim_id is null then null else l.next_attempt_at end,
                 next_attempt_now = case when l.claim_id is null then null else l.next_attempt_now end
            from tidemark.backfill_item i
           where i.backfill_id = :backfill
             and i.state = 'requested'
             and l.id = i.row_id
          """);

  /** Asks for the pinned rows. */
  static void ask(Connection connection, String backfillId) throws SQLException {
    ASK.on(connection).set("backfill", backfillId).update();
  }

  // requested_gen is what the requesters that are still active want; none left: nothing is asked.
  private static final Sql RECOMPUTE =
      Sql.of(
          """
          with wanted as (
            select mine.row_id, max(theirs.wanted_gen) filter (where b.backfill_id is not null) as gen
              from tidemark.backfill_item mine
              left join tidemark.backfill_item theirs
                on theirs.row_id = mine.row_id
               and theirs.state = 'requested'
              left join tidemark.backfill b
                on b.backfill_id = theirs.backfill_id
               and b.state in ('requested', 'running', 'failed')
             where mine.backfill_id = any(:backfills::text[])
             group by mine.row_id
          )
          update tidemark.partition_ledger l
             set requested_gen = coalesce(w.gen, least(l.requested_gen, l.done_gen))
            from wanted w
           where l.id = w.row_id
             and l.requested_gen <> coalesce(w.gen, least(l.requested_gen, l.done_gen))
          """);

  /** Recomputes what the rows of these backfills are asked for, after their requesters changed. */
  static void recompute(Connection connection, List<String> backfillIds) throws SQLException {
    if (!backfillIds.isEmpty()) {
      RECOMPUTE.on(connection).set("backfills", backfillIds).update();
    }
  }

  // Only claims that nobody else wants: not those of live work, which is due by itself, and not one
  // that has begun to publish, since a publish cut off would take the old output with it. A new
  // token is what refuses the attempt that still runs.
  private static final Sql STOP_RUNNING =
      Sql.of(
          """
          with stopped as (
            update tidemark.partition_ledger l
               set claim_id = null,
                   claim_class = null,
                   claim_attempt = null,
                   claimed_by = null,
                   lease_until = null,
                   running_gen = null,
                   token = nextval('tidemark.token')
              from (
                select l.id, l.token
                  from tidemark.backfill_item i
                  join tidemark.partition_ledger l on l.id = i.row_id
                 where i.backfill_id = :backfill
                   and l.claim_id is not null
                   and l.claim_class = 'backfill'
                   and not exists (
                       select 1
                         from tidemark.backfill_item o
                         join tidemark.backfill b
                           on b.backfill_id = o.backfill_id
                          and b.state in ('requested', 'running', 'failed')
                        where o.row_id = l.id
                          and o.state = 'requested')
                   and not exists (
                       select 1
                         from tidemark.attempt a
                        where a.token = l.token
                          and a.ended_at is null
                          and a.intent is not null)
                 order by l.id
                   for update of l) held
             where l.id = held.id
            returning held.token
          )
          update tidemark.attempt a
             set ended_at = clock_timestamp(),
                 outcome = 'released',
                 error = 'stopped: its backfill was cancelled'
            from stopped s
           where a.token = s.token
             and a.ended_at is null
          """);

  /** Takes the claims of a cancelled backfill's rows that nobody else wants. */
  static void stopRunning(Connection connection, String backfillId) throws SQLException {
    STOP_RUNNING.on(connection).set("backfill", backfillId).update();
  }

  private static final Sql LIST =
      Sql.of(
          """
          select l.partition, l.slice
            from tidemark.backfill_item i
            join tidemark.partition_ledger l on l.id = i.row_id
           where i.backfill_id = :backfill
           order by case when :newest_first then l.window_start end desc, l.window_start, l.slice
          """);

  /** The list, in the order in which it would run. */
  static List<BackfillView.Item> list(Connection connection, String backfillId, boolean newestFirst)
      throws SQLException {
    return LIST.on(connection)
        .set("backfill", backfillId)
        .set("newest_first", newestFirst)
        .list(
            row ->
                new BackfillView.Item(
                    row.text("partition"), Slice.parse(row.text("slice")).values()));
  }
}
