package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.planning.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What may run of a stateful pipeline: of each slice the oldest window that is not settled, asked
 * for or not, if nothing holds that one back. Excused, skipped and unexpected windows are passed
 * over. The slices that have any such window are found one by one through the indexes, so that cost
 * follows what is due. Where the definition has just become stateful, nothing may run before the
 * next plan has linked each window to the one before it.
 */
final class ChainedCandidates {
  /** Of each cause the oldest window of each slice. */
  private static final String OLDEST =
      """
      with recursive unsettled (id, slice, window_start) as (
        (select l.id, l.slice, l.window_start
           from tidemark.partition_ledger l
          where l.pipeline_id = :pipeline and l.unsettled
            and (:late or l.committed_token is null or l.output_lost_at is not null
              or l.claim_id is not null)
          order by l.slice, l.window_start
          limit 1)
        union all
        select next.*
          from unsettled
         cross join lateral (
               select l.id, l.slice, l.window_start
                 from tidemark.partition_ledger l
                where l.pipeline_id = :pipeline and l.unsettled and l.slice > unsettled.slice
                  and (:late or l.committed_token is null or l.output_lost_at is not null
                    or l.claim_id is not null)
                order by l.slice, l.window_start
                limit 1) next),
      outdated (id, slice, window_start) as (
        (select l.id, l.slice, l.window_start
           from tidemark.partition_ledger l
          where l.pipeline_id = :pipeline and l.outdated and :late and l.window_start >= :accept
          order by l.slice, l.window_start
          limit 1)
        union all
        select next.*
          from outdated
         cross join lateral (
               select l.id, l.slice, l.window_start
                 from tidemark.partition_ledger l
                where l.pipeline_id = :pipeline and l.outdated and l.slice > outdated.slice
                  and l.window_start >= :accept
                order by l.slice, l.window_start
                limit 1) next),
      lookback as (
        select due.*
          from unnest(:lags::integer[], :up_to::timestamptz[]) as reach (lag, up_to)
         cross join lateral (
               select l.id, l.slice, l.window_start
                 from tidemark.partition_ledger l
                where l.pipeline_id = :pipeline and l.committed_token is not null
                  and l.claim_id is null and l.closed_lag = reach.lag
                  and l.window_start <= reach.up_to and l.window_start > :oldest
                  and exists (
                        select
                          from unnest(:distances::integer[], :newest::timestamptz[],
                                      :after::timestamptz[]) as d (distance, newest, after)
                         where d.distance > reach.lag
                           and l.window_start <= d.newest and l.window_start > d.after)
                  and l.predecessor_now is not null
                  and l.expected and l.skipped_at is null and l.excused_at is null) due),
      made (definition) as (
        select min(l.definition)
          from tidemark.partition_ledger l
         where :rerun and l.pipeline_id = :pipeline and l.committed_token is not null
           and l.claim_id is null
        union all
        select (select min(l.definition)
                  from tidemark.partition_ledger l
                 where l.pipeline_id = :pipeline and l.committed_token is not null
                   and l.claim_id is null and l.definition > made.definition)
          from made
         where made.definition is not null),
      stale as (
        select l.id, l.slice, l.window_start
          from made
          join tidemark.partition_ledger l on l.definition = made.definition
         where made.definition <> :fingerprint
           and l.pipeline_id = :pipeline and l.committed_token is not null and l.claim_id is null
           and l.predecessor_now is not null
           and l.expected and l.skipped_at is null and l.excused_at is null),
      head as (
        select distinct on (one.slice) one.id
          from (select * from unsettled
                union all select * from outdated
                union all select * from lookback
                union all select * from stale) one
         where one.window_start <= :closed
         order by one.slice, one.window_start)
      """;

  private static final Sql HEADS =
      Sql.of(
          OLDEST
              + """
              select l.id, l.version, l.window_start, l.slice, l.account,
                     l.asked, asking.backfills,
                     case
                       when l.committed_token is null then 'MISSING'
                       when l.output_lost_at is not null then 'LOST_OUTPUT'
                       when not :late then null
                       when l.input_version <> l.processed_version and l.window_start >= :accept
                         then 'LATE'
                       when exists (
                              select
                                from unnest(:distances::integer[], :newest::timestamptz[],
                                            :after::timestamptz[]) as d (distance, newest, after)
                               where d.distance > l.closed_lag
                                 and l.window_start <= d.newest and l.window_start > d.after)
                         then 'LOOKBACK'
                       when l.outdated and l.window_start >= :accept then 'CHAIN'
                       when :rerun and l.definition <> :fingerprint then 'STALE_DEFINITION'
                     end as cause
                from head
               cross join lateral (
                     select it.*, it.xmin::text as version
                       from tidemark.partition_ledger it
                      where it.id = head.id
                     offset 0) l
               cross join lateral (
                     select array_agg(i.backfill_id) as backfills
                       from tidemark.backfill_item i
                      where l.asked and i.row_id = l.id and i.state = 'requested'
                        and i.backfill_id = any(:backfills)) asking
               where l.claim_id is null and l.parked_at is null and not l.no_input
                 and (not l.asked or asking.backfills is not null)
                 and %s
                 and %s
              """
                  .formatted(CandidateSql.HAS_WAITED, CandidateSql.ANY_ACCOUNT));

  private ChainedCandidates() {}

  private static final Comparator<Candidate> ORDER =
      Comparator.comparing((Candidate candidate) -> candidate.reason() != Reason.REQUESTED)
          .thenComparing(candidate -> candidate.reason() == Reason.MISSING)
          .thenComparing(Candidate::start)
          .thenComparing(Candidate::slice);

  /**
   * At most one of each slice, but for those of full accounts; asked for by a person first, then
   * late first, oldest first.
   *
   * @param live whether live work may run: else only what was asked for, and that as backfill
   */
  static List<Candidate> find(
      Connection connection,
      DueAt due,
      List<ActiveBackfill> backfills,
      List<String> fullAccounts,
      boolean live,
      Scope scope)
      throws SQLException {
    return due
        .set(HEADS.on(connection))
        .set("full_accounts", fullAccounts)
        .set("backfills", backfills.stream().map(ActiveBackfill::id).toList())
        .list(row -> candidate(row, live))
        .stream()
        .filter(one -> one.reason() == Reason.REQUESTED || (live && scope == Scope.ALL))
        .sorted(ORDER)
        .toList();
  }

  private static Candidate candidate(Row row, boolean live) throws SQLException {
    boolean asked = row.flag("asked");
    @Nullable String cause = row.textOrNull("cause");
    return new Candidate(
        Candidate.Read.of(row),
        row.instant("window_start"),
        row.text("slice"),
        row.textOrNull("account"),
        asked || cause == null ? Reason.REQUESTED : Reason.valueOf(cause),
        asked ? live && cause != null : true,
        asked ? row.texts("backfills") : List.of());
  }

  private static final Sql BEHIND =
      Sql.of(
          """
          select count(*) as count
            from (
              (select l.id
                 from tidemark.partition_ledger l
                where l.pipeline_id = :pipeline and l.unsettled and l.slice = any(:slices)
                  and l.window_start <= :closed
                limit :most)
              union
              (select l.id
                 from tidemark.partition_ledger l
                where l.pipeline_id = :pipeline and l.outdated and l.slice = any(:slices)
                  and l.window_start <= :closed and l.window_start >= :accept and :late
                limit :most)) waiting
          """);

  /** How many windows are due in the slices of these, which come first in theirs. */
  static int count(Connection connection, DueAt due, List<Candidate> heads, int most)
      throws SQLException {
    if (heads.isEmpty()) {
      return 0;
    }
    int behind =
        due.set(BEHIND.on(connection))
            .set("slices", heads.stream().map(Candidate::slice).toList())
            .set("most", most)
            .list(row -> row.integer("count"))
            .get(0);
    return Math.min(most, Math.max(heads.size(), behind));
  }
}
