package dev.tidemark.activities.ledger.attempt;

import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.attempt.GroupedWrites.Patience;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settle of commits: those of the same moment in one round trip. By the newest token it ends
 * whatever claim the row has; an attempt whose lease passed without anybody beginning another is
 * still the newest.
 */
final class Committing {
  private final Database database;
  private final GroupedWrites<Request, Written> writes =
      new GroupedWrites<>(Request::token, this::write);

  Committing(Database database) {
    this.database = database;
  }

  /**
   * The rows are locked by a statement of its own, in the order of their ids: what follows sees the
   * requests that joined the attempts until then. What a commit delivers is what the attempt
   * recorded at its begin. Numbers travel as text, so that a list of nulls has the same type.
   * Planned once, as at begin.
   *
   * <p>In a stateful pipeline the window after each learns of the commit in the same transaction
   * (C20); it is locked with the others, and which one it is does not change meanwhile.
   */
  private static final Sql COMMIT =
      Sql.of(
          """
          select set_config('lock_timeout', :lock_timeout, true),
                 set_config('plan_cache_mode', 'force_generic_plan', true);

          select pg_advisory_xact_lock_shared(hashtext('tidemark.chain'), stateful.pipeline_id)
            from (select distinct l.pipeline_id
                    from tidemark.attempt a
                    join tidemark.partition_ledger l on l.id = a.row_id
                   where a.token = any(:tokens::bigint[]) and l.predecessor_now is not null
                   order by 1) stateful;

          select l.id
            from tidemark.partition_ledger l
           where l.id = any(array(
                   select a.row_id from tidemark.attempt a where a.token = any(:tokens::bigint[])
                   union
                   select tidemark.successor(l.pipeline_id, l.slice, l.window_start)
                     from tidemark.attempt a
                     join tidemark.partition_ledger l on l.id = a.row_id
                    where a.token = any(:tokens::bigint[]) and l.predecessor_now is not null))
           order by l.id
             for update of l;

          with mine as (
            select a.*, coalesce(a.input_version, '') as read_version,
                   coalesce(a.input_seen_at, a.began_at) as read_seen_at,
                   r.committed, r.output, r.content, r.rows, r.bytes, r.files, r.printed,
                   l.committed_token is null or r.content is null
                     or r.content is distinct from l.content as changed
              from (select *
                      from unnest(:tokens::bigint[], :committed::text[]::bigint[], :outputs::text[],
                                  :contents::text[], :rows::text[]::bigint[],
                                  :bytes::text[]::bigint[], :files::text[]::integer[],
                                  :logs::text[])
                             as r (token, committed, output, content, rows, bytes, files, printed)
                     limit (select cardinality(:tokens::bigint[]))) r
             cross join lateral (
                   select * from tidemark.attempt where token = r.token offset 0) a
              join tidemark.partition_ledger l on l.id = a.row_id and l.token = a.token
             where a.ended_at is null or a.outcome = 'lost'),
          settled as (
            update tidemark.partition_ledger l
               set committed_token = coalesce(mine.committed, mine.token),
                   committed_at = clock_timestamp(),
                   processed_version = mine.read_version, processed_seen_at = mine.read_seen_at,
                   input_version = case when mine.input_version is null
                       and (l.input_observed_at is null or l.input_observed_at < mine.began_at)
                     then '' else l.input_version end,
                   input_seen_at = case when mine.input_version is null
                       and (l.input_observed_at is null or l.input_observed_at < mine.began_at)
                     then mine.read_seen_at else l.input_seen_at end,
                   closed_through = mine.closed_through, closed_lag = mine.closed_lag,
                   predecessor = coalesce(mine.predecessor, l.predecessor_now), skipped_at = null,
                   revision = mine.revision, definition = mine.definition,
                   output = mine.output, content = mine.content, rows = mine.rows,
                   bytes = mine.bytes, files = mine.files,
                   output_lost_at = null,
                   done_gen = greatest(l.done_gen, mine.gen), running_gen = null,
                   failures = 0, failed_claims = 0, failed_version = null, lost = 0,
                   parked_at = null, next_attempt_at = null, next_attempt_now = null,
                   last_error = null,
                   claim_id = null, lease_until = null, claim_attempt = null
              from mine
             where l.id = mine.row_id
            returning l.id, l.done_gen, mine.token, mine.printed, mine.changed),
          completed as (
            update tidemark.backfill_item i
               set state = 'completed'
              from settled
             where i.row_id = settled.id and i.state = 'requested'
               and i.wanted_gen <= settled.done_gen),
          ended as (
            update tidemark.attempt a
               set ended_at = clock_timestamp(), outcome = 'committed', error = null,
                   log = settled.printed
              from settled
             where a.token = settled.token)
          select token, changed from settled;

          update tidemark.partition_ledger l
             set predecessor_now = linked.token
            from (
              select n.id, tidemark.predecessor_token(n.pipeline_id, n.slice, n.window_start) as token
                from tidemark.partition_ledger n
               where n.id = any(array(
                       select tidemark.successor(s.pipeline_id, s.slice, s.window_start)
                         from tidemark.attempt a
                         join tidemark.partition_ledger s on s.id = a.row_id and s.token = a.token
                        where a.token = any(:tokens::bigint[])
                          and s.predecessor_now is not null))) linked
           where l.id = linked.id and l.predecessor_now <> linked.token
          """);

  /** What became of each; nothing is written for one that was not the newest. */
  private List<Written> write(List<Request> requests, Patience patience) {
    Map<Long, Written> settled =
        database.roundTrip(
            connection -> {
              Map<Long, Written> tokens = new HashMap<>();
              COMMIT
                  .on(connection)
                  .set("lock_timeout", patience.lockTimeout())
                  .set("tokens", requests.stream().map(Request::token).toList())
                  .set("outputs", each(requests, request -> request.committed().output()))
                  .set("contents", each(requests, request -> request.committed().content()))
                  .set("rows", each(requests, request -> text(request.committed().rows())))
                  .set("bytes", each(requests, request -> text(request.committed().bytes())))
                  .set("files", each(requests, request -> text(request.committed().files())))
                  .set("committed", each(requests, request -> text(request.committed().token())))
                  .set("logs", each(requests, Request::log))
                  .results(
                      set -> {},
                      chained -> {},
                      locked -> {},
                      row ->
                          tokens.put(
                              row.number("token"),
                              row.flag("changed") ? Written.CHANGED : Written.AS_BEFORE));
              return tokens;
            });
    return requests.stream()
        .map(request -> settled.getOrDefault(request.token(), Written.NOTHING))
        .toList();
  }

  private static List<@Nullable String> each(
      List<Request> requests, Function<Request, @Nullable String> value) {
    return requests.stream().map(value).toList();
  }

  private static @Nullable String text(@Nullable Number number) {
    return number == null ? null : number.toString();
  }

  Settlement commit(long token, Committed committed, @Nullable String log) {
    Written written = writes.submit(new Request(token, committed, log));
    return written == Written.NOTHING
        ? database.roundTrip(connection -> Settling.refused(connection, token))
        : new Settlement.Ended(
            new PartitionOutcome(PartitionOutcome.Kind.COMMITTED, null),
            written == Written.CHANGED);
  }

  private enum Written {
    /** It was not the newest. */
    NOTHING,
    /** The same content as before. */
    AS_BEFORE,
    CHANGED
  }

  private record Request(long token, Committed committed, @Nullable String log) {}
}
