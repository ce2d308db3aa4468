package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.pipeline.Pace.Order;
import dev.tidemark.workflows.planning.Reason;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What people asked for: the rows of active backfills, in the order that each backfill wants. The
 * items say who asks, so a row that nobody active asks for is not found. A frozen pipeline does
 * nothing twice, whoever asks.
 */
final class AskedCandidates {
  private static final String ASKED =
      """
      select l.id, l.xmin::text as version, l.window_start, l.slice, l.account, asking.backfills,
             (l.committed_token is null
               or l.output_lost_at is not null
               or (:late and l.input_version <> l.processed_version and l.window_start >= :accept)
               or (:rerun and l.definition <> :fingerprint)
               or exists (
                 select
                   from unnest(:distances::integer[], :newest::timestamptz[], :after::timestamptz[])
                        as d (distance, newest, after)
                  where d.distance > l.closed_lag
                    and l.window_start <= d.newest and l.window_start > d.after)) as derived
        from tidemark.partition_ledger l
       cross join lateral (
             select array_agg(i.backfill_id) as backfills
               from tidemark.backfill_item i
              where i.row_id = l.id and i.state = 'requested'
                and i.backfill_id = any(:backfills)) asking
       where l.pipeline_id = :pipeline and l.open and l.asked
         and asking.backfills is not null
         and (:late or l.committed_token is null or l.output_lost_at is not null)
         and l.window_start <= :closed
         and /*waited*/
         and /*accounts*/
       order by /*order*/
       limit :most
      """;

  private static final CandidateSql QUESTION = CandidateSql.of(ASKED);

  private static final Sql NEWEST_FIRST = QUESTION.rows(true);
  private static final Sql OLDEST_FIRST = QUESTION.rows(false);

  private static final Sql WALK = QUESTION.walk();
  private static final Sql NEWEST_FIRST_OF_ACCOUNTS = QUESTION.rowsOfAccounts(true);
  private static final Sql OLDEST_FIRST_OF_ACCOUNTS = QUESTION.rowsOfAccounts(false);

  private static final Sql COUNT =
      Sql.of("select count(*) from (%s) asked".formatted(QUESTION.text(true)));

  private AskedCandidates() {}

  /** How many there are, counted up to {@code most}. */
  static int count(
      Connection connection,
      DueAt due,
      List<ActiveBackfill> backfills,
      List<String> fullAccounts,
      int most)
      throws SQLException {
    return due.set(COUNT.on(connection))
        .set("backfills", ids(backfills))
        .set("full_accounts", fullAccounts)
        .set("most", most)
        .list(row -> row.integer("count"))
        .get(0);
  }

  /**
   * The candidates. Backfills of different orders take turns.
   *
   * @param live whether live work may run: else all of it counts as backfill
   */
  static Found find(
      Connection connection,
      DueAt due,
      List<ActiveBackfill> backfills,
      List<String> fullAccounts,
      boolean live,
      int most)
      throws SQLException {
    List<List<Candidate>> lists = new ArrayList<>();
    for (Direction direction : directions(due, backfills)) {
      lists.add(
          direction
              .on((direction.newest() ? NEWEST_FIRST : OLDEST_FIRST).on(connection), due)
              .set("full_accounts", fullAccounts)
              .set("most", most)
              .list(row -> candidate(row, live)));
    }
    boolean complete = lists.stream().noneMatch(list -> list.size() >= most);
    return new Found(inTurns(lists), complete);
  }

  /** Which accounts have any of these, for {@link AccountCandidates#next}. */
  static Sql.Call walk(Connection connection, DueAt due, List<ActiveBackfill> backfills) {
    return due.set(WALK.on(connection)).set("backfills", ids(backfills));
  }

  /** The same of these accounts, so many rows of each. */
  static Found of(
      Connection connection,
      DueAt due,
      List<ActiveBackfill> backfills,
      List<String> accounts,
      boolean live,
      int each)
      throws SQLException {
    List<List<Candidate>> lists = new ArrayList<>();
    for (Direction direction : directions(due, backfills)) {
      Sql sql = direction.newest() ? NEWEST_FIRST_OF_ACCOUNTS : OLDEST_FIRST_OF_ACCOUNTS;
      lists.add(
          direction
              .on(sql.on(connection), due)
              .set("accounts", accounts)
              .set("most", each)
              .list(row -> candidate(row, live)));
    }
    boolean complete =
        lists.stream()
            .allMatch(
                rows -> AccountCandidates.areAll(rows, row -> String.valueOf(row.account()), each));
    return new Found(inTurns(lists), complete);
  }

  /** Backfills that want one order. */
  private record Direction(boolean newest, List<ActiveBackfill> backfills) {
    Sql.Call on(Sql.Call call, DueAt due) {
      return due.set(call).set("backfills", ids(backfills));
    }
  }

  private static List<Direction> directions(DueAt due, List<ActiveBackfill> backfills) {
    boolean pipelineOrder = due.pipeline().definition().pace().order() == Order.NEWEST_FIRST;
    return backfills.stream()
        .collect(
            Collectors.partitioningBy(
                backfill -> {
                  Boolean asked = backfill.newestFirst();
                  return asked == null ? pipelineOrder : asked;
                }))
        .entrySet()
        .stream()
        .filter(order -> !order.getValue().isEmpty())
        .map(order -> new Direction(order.getKey(), order.getValue()))
        .sorted(Comparator.comparing(Direction::newest).reversed())
        .toList();
  }

  private static List<String> ids(List<ActiveBackfill> backfills) {
    return backfills.stream().map(ActiveBackfill::id).toList();
  }

  private static Candidate candidate(Row row, boolean live) throws SQLException {
    return new Candidate(
        Candidate.Read.of(row),
        row.instant("window_start"),
        row.text("slice"),
        row.textOrNull("account"),
        Reason.REQUESTED,
        live && row.flag("derived"),
        row.texts("backfills"));
  }

  private static List<Candidate> inTurns(List<List<Candidate>> lists) {
    Map<Long, Candidate> result = new LinkedHashMap<>();
    List<Iterator<Candidate>> turns = new ArrayList<>();
    lists.forEach(list -> turns.add(list.iterator()));
    while (!turns.isEmpty()) {
      turns.removeIf(turn -> !turn.hasNext());
      for (Iterator<Candidate> turn : turns) {
        Candidate next = turn.next();
        result.putIfAbsent(next.id(), next);
      }
    }
    return List.copyOf(result.values());
  }

  /**
   * What was asked for, in order.
   *
   * @param complete nothing was left out for the bound
   */
  record Found(List<Candidate> candidates, boolean complete) {}
}
