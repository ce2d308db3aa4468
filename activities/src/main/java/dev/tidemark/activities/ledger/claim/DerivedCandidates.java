package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.pipeline.Integration.Strategy;
import dev.tidemark.workflows.pipeline.Pace.Order;
import dev.tidemark.workflows.planning.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * What is due by itself, without anybody asking: missing, late, lookback, lost output, a newer
 * definition. Each cause is read through its own partial index, in claim order, and no further than
 * the claim can use.
 */
final class DerivedCandidates {
  /**
   * The arms are told apart by {@code cause}; that a row is in two of them is resolved by the
   * caller. The definitions that rows were made with are few: they are found one by one through the
   * index.
   */
  private static final String DUE =
      """
      (select l.id, l.xmin::text as version, l.window_start, l.slice, l.account,
              'MISSING' as cause
         from tidemark.partition_ledger l
        where l.pipeline_id = :pipeline and l.open and not l.asked and l.committed_token is null
          and l.window_start <= :missing_through::timestamptz
          and /*waited*/
          and /*accounts*/
        order by /*order*/
        limit :most)
      union all
      (select l.id, l.xmin::text, l.window_start, l.slice, l.account, 'LATE'
         from tidemark.partition_ledger l
        where :late and l.pipeline_id = :pipeline and l.open and not l.asked
          and l.committed_token is not null
          and l.input_version <> l.processed_version and l.output_lost_at is null
          and l.window_start <= :closed and l.window_start >= :accept
          and /*waited*/
          and /*accounts*/
        order by /*order*/
        limit :most)
      union all
      (select l.id, l.xmin::text, l.window_start, l.slice, l.account, 'LOST_OUTPUT'
         from tidemark.partition_ledger l
        where l.pipeline_id = :pipeline and l.open and l.output_lost_at is not null and not l.asked
          and l.committed_token is not null
          and l.window_start <= :closed
          and /*waited*/
          and /*accounts*/
        order by /*order*/
        limit :most)
      """;

  /**
   * Ordered by the lag too, which is one value within each arm: only the index on it has that
   * order. Where most rows have the same lag, the planner would otherwise walk all windows for it.
   */
  private static final String LOOKBACK =
      """
      union all
      (select due.*
         from unnest(:lags::integer[], :up_to::timestamptz[]) as reach (lag, up_to)
        cross join lateral (
              select l.id, l.xmin::text, l.window_start, l.slice, l.account, 'LOOKBACK'
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
                 and l.expected and l.skipped_at is null and l.excused_at is null
                 and l.parked_at is null and not l.no_input and not l.asked
                 and /*waited*/
                 and /*accounts*/
               order by /*order*/
               limit :most) due)
      """;

  private static final String STALE =
      """
      union all
      (with recursive made (definition) as (
         select min(l.definition) from tidemark.partition_ledger l
          where l.pipeline_id = :pipeline and l.committed_token is not null and l.claim_id is null
         union all
         select (select min(l.definition) from tidemark.partition_ledger l
                  where l.pipeline_id = :pipeline and l.committed_token is not null
                    and l.claim_id is null and l.definition > made.definition)
           from made where made.definition is not null)
       select due.* from made cross join lateral (
         select l.id, l.xmin::text, l.window_start, l.slice, l.account,
                'STALE_DEFINITION'
           from tidemark.partition_ledger l
          where l.pipeline_id = :pipeline and l.committed_token is not null and l.claim_id is null
            and l.definition = made.definition and l.window_start <= :closed
            and l.expected and l.skipped_at is null and l.excused_at is null
            and l.parked_at is null and not l.no_input and not l.asked
            and /*waited*/
            and /*accounts*/
          order by /*order*/
          limit :most) due
        where made.definition <> :fingerprint)
      """;

  private DerivedCandidates() {}

  /** Which statement answers: only what the definition can make due is looked for. */
  private static final Map<String, Sql> STATEMENTS = statements(CandidateSql::rows);

  private static final Map<String, Sql> COUNTS =
      statements(
          (question, newestFirst) ->
              Sql.of(
                  "select count(distinct due.id) from (%s) due"
                      .formatted(question.text(newestFirst))));

  private static final Map<String, Sql> WALKS =
      statements((question, newestFirst) -> question.walk());

  private static final Map<String, Sql> OF_ACCOUNTS = statements(CandidateSql::rowsOfAccounts);

  private static Map<String, Sql> statements(BiFunction<CandidateSql, Boolean, Sql> statement) {
    Map<String, Sql> all = new LinkedHashMap<>();
    for (Order order : Order.values()) {
      for (boolean lookback : new boolean[] {false, true}) {
        for (boolean stale : new boolean[] {false, true}) {
          all.put(
              key(order, lookback, stale),
              statement.apply(question(lookback, stale), order == Order.NEWEST_FIRST));
        }
      }
    }
    return Map.copyOf(all);
  }

  static CandidateSql question(boolean lookback, boolean stale) {
    return CandidateSql.of(DUE + (lookback ? LOOKBACK : "") + (stale ? STALE : ""));
  }

  private static String key(Order order, boolean lookback, boolean stale) {
    return order + " " + lookback + " " + stale;
  }

  private static Sql statement(Map<String, Sql> statements, DueAt due) {
    Order order = due.pipeline().definition().pace().order();
    Sql sql = statements.get(key(order, !due.lookback().lags().isEmpty(), due.rerun()));
    if (sql == null) {
      throw new IllegalStateException("no statement for " + order);
    }
    return sql;
  }

  /** How many there are; of each cause no more than {@code most} are looked at. */
  static int count(Connection connection, DueAt due, List<String> fullAccounts, int most)
      throws SQLException {
    return due.set(statement(COUNTS, due).on(connection))
        .set("full_accounts", fullAccounts)
        .set("most", most)
        .list(row -> row.integer("count"))
        .get(0);
  }

  /** The candidates by cause, each row once, in the order of the pipeline's strategy. */
  static Found find(Connection connection, DueAt due, List<String> fullAccounts, int most)
      throws SQLException {
    List<Candidate> rows =
        due.set(statement(STATEMENTS, due).on(connection))
            .set("full_accounts", fullAccounts)
            .set("most", most)
            .list(DerivedCandidates::candidate);
    return found(rows, due, AccountCandidates.areAll(rows, Candidate::reason, most));
  }

  /** Which accounts have any of these, for {@link AccountCandidates#next}. */
  static Sql.Call walk(Connection connection, DueAt due) {
    return due.set(statement(WALKS, due).on(connection));
  }

  /** The same of these accounts, of each cause so many rows of each. */
  static Found of(Connection connection, DueAt due, List<String> accounts, int each)
      throws SQLException {
    List<Candidate> rows =
        due.set(statement(OF_ACCOUNTS, due).on(connection))
            .set("accounts", accounts)
            .set("most", each)
            .list(DerivedCandidates::candidate);
    return found(
        rows, due, AccountCandidates.areAll(rows, row -> row.reason() + " " + row.account(), each));
  }

  private static Found found(List<Candidate> rows, DueAt due, boolean complete) {
    Map<Long, Candidate> missing = new LinkedHashMap<>();
    Map<Long, Candidate> again = new LinkedHashMap<>();
    boolean lookback = false;
    for (Candidate row : rows) {
      lookback |= row.reason() == Reason.LOOKBACK;
      (row.reason() == Reason.MISSING ? missing : again).putIfAbsent(row.id(), row);
    }
    List<Candidate> integrated = new ArrayList<>(again.values());
    integrated.sort(inWindowOrder(due.pipeline().definition().pace().order()));
    return new Found(List.copyOf(missing.values()), integrated, lookback, complete);
  }

  private static Candidate candidate(Row row) throws SQLException {
    return new Candidate(
        Candidate.Read.of(row),
        row.instant("window_start"),
        row.text("slice"),
        row.textOrNull("account"),
        Reason.valueOf(row.text("cause")),
        true,
        List.of());
  }

  static Comparator<Candidate> inWindowOrder(Order order) {
    Comparator<Candidate> byStart = Comparator.comparing(Candidate::start);
    return (order == Order.NEWEST_FIRST ? byStart.reversed() : byStart)
        .thenComparing(Candidate::slice);
  }

  /**
   * What is due by itself.
   *
   * @param missing never committed, in window order
   * @param integrated committed and due again, in window order
   * @param lookback some of them by lookback
   * @param complete nothing was left out for the bound
   */
  record Found(
      List<Candidate> missing, List<Candidate> integrated, boolean lookback, boolean complete) {

    /** In the order of the strategy (C3, C4, C5). */
    List<Candidate> ordered(Strategy strategy, Order order) {
      List<Candidate> all = new ArrayList<>();
      switch (strategy) {
        case CURRENT_FIRST -> {
          all.addAll(missing);
          all.addAll(integrated);
        }
        case LATE_FIRST -> {
          all.addAll(integrated);
          all.addAll(missing);
        }
        case PARALLEL -> {
          all.addAll(missing);
          all.addAll(integrated);
          all.sort(inWindowOrder(order));
        }
      }
      return all;
    }
  }
}
