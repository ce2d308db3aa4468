package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.planning.Turns;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The same questions as without accounts, asked of those accounts whose turn it is. First a walk
 * over the accounts that have something due, from the one served last on, then the rows of each. A
 * step of the walk is one look into an index, however many rows an account has, and the walk goes
 * no further than the claim can use: a claim costs as much as it takes, not as many accounts or
 * rows as there are.
 */
final class AccountCandidates {
  /** Later than every account. */
  private static final String END = Character.toString(Character.MAX_CODE_POINT);

  private AccountCandidates() {}

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

  /** Whether none was left out: no group has as many rows as were read of each at most. */
  static boolean areAll(List<Candidate> rows, Function<Candidate, Object> group, int most) {
    return rows.stream()
        .collect(Collectors.groupingBy(group, Collectors.counting()))
        .values()
        .stream()
        .noneMatch(count -> count >= most);
  }
}
