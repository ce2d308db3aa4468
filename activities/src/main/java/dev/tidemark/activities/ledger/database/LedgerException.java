package dev.tidemark.activities.ledger.database;

import java.sql.SQLException;

/** The ledger could not be reached, or a statement failed; what was begun is rolled back. */
public final class LedgerException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LedgerException(SQLException cause) {
    super("the ledger failed: " + cause.getMessage(), cause);
  }
}
