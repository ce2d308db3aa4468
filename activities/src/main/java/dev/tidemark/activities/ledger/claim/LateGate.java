package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The gate of late-first (C3): a missing window waits for late ones that were seen before it
 * closed, and for those that the lookback asks for. So a stream of late data never holds up what
 * had closed before.
 */
final class LateGate {
  private LateGate() {}

  /**
   * What is late or due by lookback and not done yet, whether it can start, runs, or waits for its
   * next attempt; parked it holds nothing back, nor does what an account has whose breaker is open,
   * also while one partition of it is tried: nobody knows when its destination accepts again. A now
   * given by hand cannot be compared with when something was seen: then everything waits.
   */
  private static final Sql HELD =
      Sql.of(
          """
          select coalesce(bool_or(:now::timestamptz is not null or not held.late), false) as shut,
                 min(held.input_seen_at) as since
            from (
              select true as late, l.input_seen_at
                from tidemark.partition_ledger l
               where l.pipeline_id = :pipeline and l.open and not l.asked
                 and l.committed_token is not null and l.input_version <> l.processed_version
                 and l.window_start >= :accept and l.window_start <= :closed and :late
                 and %1$s
              union all
              select coalesce(l.input_version <> l.processed_version, false), l.input_seen_at
                from tidemark.partition_ledger l
               where l.pipeline_id = :pipeline and l.claim_id is not null
                 and l.claim_class = 'live' and l.committed_token is not null
                 and l.claim_reason not in ('lost_output', 'stale_definition')
                 and %1$s
              union all
              select not waiting.lookback, waiting.input_seen_at
                from (
                  select l.input_seen_at,
                         l.input_version <> l.processed_version and l.window_start >= :accept
                           as late,
                         exists (
                           select
                             from unnest(:distances::integer[], :newest::timestamptz[],
                                         :after::timestamptz[]) as d (distance, newest, after)
                            where d.distance > l.closed_lag
                              and l.window_start <= d.newest and l.window_start > d.after)
                           as lookback
                    from tidemark.partition_ledger l
                   where l.pipeline_id = :pipeline and l.next_attempt_at
                            > coalesce(:retries_until::timestamptz, clock_timestamp())
                     and coalesce(l.next_attempt_now > :now::timestamptz, true)
                     and l.claim_id is null and l.parked_at is null
                     and l.committed_token is not null and l.expected and l.excused_at is null
                     and not l.no_input and l.window_start <= :closed and :late
                     and %1$s)
                     waiting
               where waiting.late or waiting.lookback) held
          """
              .formatted(CandidateSql.ANY_ACCOUNT));

  private record Held(boolean shut, @Nullable Instant since) {}

  /**
   * The question, of no more missing windows than may run. It is answered before any are read, and
   * for all accounts: else a claim that looks at some accounts finds only what has to wait.
   *
   * @param refused accounts with an open breaker
   */
  static DueAt pass(Connection connection, DueAt due, List<String> refused) throws SQLException {
    Held held =
        due.set(HELD.on(connection))
            .set("full_accounts", refused)
            .list(row -> new Held(row.flag("shut"), row.instantOrNull("since")))
            .get(0);
    if (held.shut() || DerivedCandidates.find(connection, due, refused, 1).lookback()) {
      return due.withMissingThrough(null);
    }
    Instant since = held.since();
    if (since == null) {
      return due;
    }
    Instant closed = due.closed().start();
    return due.withMissingThrough(
        due.pipeline()
            .definition()
            .extent()
            .closedThrough(since)
            .map(newest -> newest.start().isBefore(closed) ? newest.start() : closed)
            .orElse(null));
  }
}
