package dev.tidemark.activities.ledger.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import javax.sql.DataSource;

/** Connections that live as long as a callback, and transactions that are repeated on conflict. */
public final class Database {
  private static final int MAX_TRIES = 5;

  private final DataSource dataSource;

  public Database(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Work on a connection. May run more than once: it must not keep state from one run to another.
   */
  @FunctionalInterface
  public interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  /** Runs the work in one transaction; a conflict with another one repeats it, a few times. */
  public <T> T transaction(Work<T> work) {
    return repeated(
        connection -> {
          connection.setAutoCommit(false);
          try {
            T result = work.run(connection);
            connection.commit();
            return result;
          } catch (SQLException | RuntimeException e) {
            rollBack(connection, e);
            throw e;
          } finally {
            connection.setAutoCommit(true);
          }
        });
  }

  /**
   * Runs work that is one round trip: a statement, or several in one text, which PostgreSQL runs as
   * one transaction.
   */
  public <T> T roundTrip(Work<T> work) {
    return repeated(
        connection -> {
          connection.setAutoCommit(true);
          return work.run(connection);
        });
  }

  private <T> T repeated(Work<T> work) {
    for (int attempt = 1; ; attempt++) {
      try (Connection connection = dataSource.getConnection()) {
        return work.run(connection);
      } catch (SQLException e) {
        if (attempt == MAX_TRIES || !isConflict(e)) {
          throw new LedgerException(e);
        }
      }
    }
  }

  /** Serialisation failure or deadlock, by code; never by the message, which is translated. */
  private static boolean isConflict(SQLException e) {
    return "40001".equals(e.getSQLState()) || "40P01".equals(e.getSQLState());
  }

  private static void rollBack(Connection connection, Exception cause) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  private static final Sql CLOCK = Sql.of("select clock_timestamp() as now");

  /** The database's clock. */
  public static Instant clock(Connection connection) throws SQLException {
    return CLOCK.on(connection).list(row -> row.instant("now")).get(0);
  }
}
