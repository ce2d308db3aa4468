package dev.tidemark.activities.ledger;

import javax.sql.DataSource;

/** The ledger's schema: Flyway migrations under {@code dev/tidemark/migrations}. */
public final class LedgerSchema {
  private LedgerSchema() {}

  /** Creates or upgrades the schema; returns how many migrations ran. */
  public static int migrate(DataSource dataSource) {
    throw new UnsupportedOperationException("to be built");
  }

  /**
   * Whether the schema is there and up to date; one short query, so that a command starts quickly.
   */
  public static boolean isCurrent(DataSource dataSource) {
    throw new UnsupportedOperationException("to be built");
  }
}
