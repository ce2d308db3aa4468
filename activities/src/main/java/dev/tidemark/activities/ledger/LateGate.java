package dev.tidemark.activities.ledger;

import java.sql.Connection;
import java.sql.SQLException;

/** The gate of late-first (C3): missing windows wait while a committed one is to be integrated. */
final class LateGate {
  private LateGate() {}

  /** What waits for its next attempt holds the gate too, until it is parked. */
  private static final Sql SHUT =
      Sql.of(
          """
          select exists (
                   select from tidemark.partition_ledger l
                    where l.pipeline_id = :pipeline and l.open and not l.asked
                      and l.committed_token is not null and l.input_version <> l.processed_version
                      and l.window_start >= :accept and l.window_start <= :closed and :late)
              or exists (
                   select from tidemark.partition_ledger l
                    where l.pipeline_id = :pipeline and l.next_attempt_at > coalesce(:retries_until::timestamptz, clock_timestamp())
                      and coalesce(l.next_attempt_now > :now::timestamptz, true)
                      and l.claim_id is null and l.parked_at is null
                      and l.committed_token is not null and l.expected and l.excused_at is null
                      and not l.no_input and not l.asked and l.window_start <= :closed and :late
                      and (l.input_version <> l.processed_version and l.window_start >= :accept
                        or exists (
                          select
                            from unnest(:distances::integer[], :newest::timestamptz[],
                                        :after::timestamptz[]) as d (distance, newest, after)
                           where d.distance > l.closed_lag
                             and l.window_start <= d.newest and l.window_start > d.after)))
                 as shut
          """);

  static boolean isShut(Connection connection, DueAt due) throws SQLException {
    return due.set(SHUT.on(connection)).list(row -> row.flag("shut")).get(0);
  }
}
