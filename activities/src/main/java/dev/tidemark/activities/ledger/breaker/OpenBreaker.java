package dev.tidemark.activities.ledger.breaker;

import dev.tidemark.activities.ledger.database.Row;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * An account that is left alone.
 *
 * @param refusals in a row since its last commit
 * @param openedAt when there were enough of them
 * @param until nothing of the account is claimed before; after it one partition at a time is, until
 *     one commits
 * @param shut whether that is still to come
 * @param lastError what the destination said
 */
public record OpenBreaker(
    String account, int refusals, Instant openedAt, Instant until, boolean shut, String lastError) {

  static OpenBreaker of(Row row) throws SQLException {
    return new OpenBreaker(
        row.text("account"),
        row.integer("refusals"),
        row.instant("opened_at"),
        row.instant("until"),
        row.flag("shut"),
        row.text("last_error"));
  }

  /** The accounts of all of them, also of which one partition is tried. */
  public static List<String> accounts(List<OpenBreaker> breakers) {
    return breakers.stream().map(OpenBreaker::account).toList();
  }

  /** The accounts of which nothing is claimed at present. */
  public static List<String> shut(List<OpenBreaker> breakers) {
    return breakers.stream().filter(OpenBreaker::shut).map(OpenBreaker::account).toList();
  }

  /** How many partitions of the account may run at once. */
  public int cap() {
    return shut ? 0 : 1;
  }
}
