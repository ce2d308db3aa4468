package dev.tidemark.activities.ledger.claim;

import dev.tidemark.activities.ledger.database.Sql;
import java.util.regex.Pattern;

/**
 * A question about candidates, and the ways in which it is asked: of all accounts, of some, or only
 * which accounts it finds anything of. Each of its arms says by a marker where accounts are told
 * apart, where a row that waits for its next attempt is passed over, and in which order its rows
 * come; and it ends with {@code limit :most}.
 */
final class CandidateSql {
  private static final String ACCOUNTS = "/*accounts*/";
  private static final String WAITED = "/*waited*/";
  private static final String ORDER = "/*order*/";
  private static final String LIMIT = "limit :most";

  /** The database's clock decides, or a now given by hand against the one of the last claim. */
  static final String HAS_WAITED =
      """
      (l.next_attempt_at is null
                or l.next_attempt_at <= coalesce(:retries_until::timestamptz, clock_timestamp())
                or l.next_attempt_now <= :now::timestamptz)""";

  /** The account may have something: it is not full, and not left alone. */
  static final String ANY_ACCOUNT = "coalesce(l.account, '') <> all(:full_accounts)";

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

  private final String text;

  private CandidateSql(String text) {
    this.text = text;
  }

  /**
   * The question.
   *
   * @throws IllegalArgumentException if an arm lacks a marker: asked of one account it would answer
   *     for all
   */
  static CandidateSql of(String text) {
    int arms = count(text, LIMIT);
    for (String marker : new String[] {ACCOUNTS, WAITED, ORDER}) {
      if (arms == 0 || count(text, marker) != arms) {
        throw new IllegalArgumentException(
            "%d arms and %d times %s: each arm needs one"
                .formatted(arms, count(text, marker), marker));
      }
    }
    return new CandidateSql(text.replace(WAITED, HAS_WAITED));
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  /** Asked of all accounts but {@code :full_accounts}, at most {@code :most} rows of each arm. */
  String text(boolean newestFirst) {
    return ordered(newestFirst).replace(ACCOUNTS, ANY_ACCOUNT);
  }

  /** The same, to run. */
  Sql rows(boolean newestFirst) {
    return Sql.of(text(newestFirst));
  }

  /** Asked of each of {@code :accounts}, at most {@code :most} rows of each arm for each. */
  Sql rowsOfAccounts(boolean newestFirst) {
    return Sql.of(ROWS.formatted(ordered(newestFirst).replace(ACCOUNTS, OF_ACCOUNT)));
  }

  private String ordered(boolean newestFirst) {
    return text.replace(ORDER, "l.window_start " + (newestFirst ? "desc" : "asc") + ", l.slice");
  }

  /** Which accounts it finds rows of, after {@code :beyond} and before {@code :end}. */
  Sql walk() {
    return Sql.of(walkText());
  }

  /** A step of the walk is one look into an index, however many rows an account has. */
  String walkText() {
    return WALK.formatted(
        text.replace(ACCOUNTS, NEXT_ACCOUNT)
            .replace(ORDER, "l.account collate \"C\"")
            .replace(LIMIT, "limit 1"));
  }
}
