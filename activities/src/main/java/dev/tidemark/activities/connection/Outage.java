package dev.tidemark.activities.connection;

import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** Tells a database that cannot be reached from one that refuses what it is asked. */
public final class Outage {
  private Outage() {}

  /**
   * Whether the failure, or what caused it, is that of a connection (SQLState class 08, 53, 57P):
   * waiting may help, and no attempt should be spent on it.
   */
  public static boolean isOutage(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLTransientConnectionException) {
        return true;
      }
      if (cause instanceof SQLException e && e.getSQLState() != null) {
        String state = e.getSQLState();
        return state.startsWith("08") || state.startsWith("53") || state.startsWith("57P");
      }
    }
    return false;
  }
}
