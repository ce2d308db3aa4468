package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.planning.Turns;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The same questions as without accounts, asked of those accounts whose turn it is. First a walk
 * over the accounts that have something due, from the one served last on, then the rows of each. A
 * step of the walk is one look into an index, however many rows an account has, and the walk goes
 * no further than the claim can use: a claim costs as much as it takes, not as many accounts or
 * rows as there are.
 */
final class AccountCandidates {
  /** What every arm of the questions says of accounts. */
  static final String ANY_ACCOUNT = "coalesce(l.account, '') <> all(:full_accounts)";

  private static final String ROW_ORDER = "order by l.window_start /*direction*/, l.slice";

  /** An account that may have nothing more is passed over in one step, like the end of the walk. */
  private static final String WALK =
      """
      with recursive walk (account, due, found) as (
        select :beyond::text collate "C", false, 0
        union all
        select coalesce(next.account, barrier.account), next.account is not null,
               walk.found + (next.account is not null)::integer
          from walk
         cross join lateral (
               select min(one collate "C") as account
                 from unnest(:full_accounts::text[] || :end::text) as one
                where one collate "C" > walk.account) barrier
         cross join lateral (
               select min(arm.account collate "C") as account from (%s) arm) next
         where barrier.account is not null and walk.found < :most)
      select account from walk where due
      """;

  private static final String NEXT_ACCOUNT =
      """
      l.account is not null
                and l.account collate "C" > walk.account
                and l.account collate "C" < barrier.account""";

  private static final String ROWS =
      """
      select due.*
        from unnest(:accounts::text[]) as turn (account)
       cross join lateral (%s) due
      """;

  private static final String OF_ACCOUNT =
      """
      l.account is not null and l.account collate "C" = turn.account""";

  /** Later than every account. */
  private static final String END = Character.toString(Character.MAX_CODE_POINT);

  private AccountCandidates() {}

  /** Which accounts the question finds rows of, each by one row of theirs. */
  static Sql walk(String question) {
    return Sql.of(walkText(question));
  }

  static String walkText(String question) {
    return WALK.formatted(
        question
            .replace(ANY_ACCOUNT, NEXT_ACCOUNT)
            .replace(ROW_ORDER, "order by l.account collate \"C\"")
            .replace("limit :most", "limit 1"));
  }

  /** The question asked of each of {@code :accounts}, so many rows of each. */
  static Sql rows(String question, String direction) {
    return Sql.of(
        ROWS.formatted(
            question.replace(ANY_ACCOUNT, OF_ACCOUNT).replace("/*direction*/", direction)));
  }

  /**
   * The accounts whose turn comes next, in any order.
   *
   * @param complete nobody else has anything due
   */
  record Next(List<String> accounts, boolean complete) {}

  /** Sets what the question needs. */
  @FunctionalInterface
  interface Question {
    Sql.Call on(Connection connection);
  }

  /**
   * Walks from the account served last to the end, and from the beginning to it.
   *
   * @param most accounts are enough
   */
  static Next next(
      Connection connection, Question question, List<String> full, Turns turns, int most)
      throws SQLException {
    Turns.Turn last = turns.last();
    List<String> accounts = new ArrayList<>();
    if (last != null && turns.goesOn() && !full.contains(last.account())) {
      accounts.add(last.account());
    }
    String from = last == null ? "" : last.account();
    accounts.addAll(walk(connection, question, full, from, END, most));
    if (last != null && accounts.size() < most) {
      accounts.addAll(walk(connection, question, full, "", from + "\u0001", most));
    }
    return new Next(accounts.stream().distinct().toList(), accounts.size() < most);
  }

  private static List<String> walk(
      Connection connection,
      Question question,
      List<String> full,
      String beyond,
      String end,
      int most)
      throws SQLException {
    return question
        .on(connection)
        .set("full_accounts", full)
        .set("beyond", beyond)
        .set("end", end)
        .set("most", most)
        .list(row -> row.text("account"));
  }

  /** How many rows of each account are read, so that so many slots can be filled, or nearly. */
  static int each(int slots, int accounts, int round, int heaviest) {
    long even = 2L * slots / Math.max(1, accounts) + 1;
    return (int) Math.min(slots, Math.max(heaviest, even << Math.min(round, 10)));
  }
}
