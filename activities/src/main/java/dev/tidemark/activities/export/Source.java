package dev.tidemark.activities.export;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The database that is read, as far as databases differ: how a session is set to UTC and back, and
 * asked for its time.
 */
enum Source {
  /** Its zone ends with the transaction. */
  POSTGRESQL("set local time zone 'UTC'", null, "select statement_timestamp()"),
  DUCKDB("set TimeZone = 'UTC'", "reset TimeZone", "select now()"),
  H2("set time zone 'UTC'", "set time zone local", "select current_timestamp"),
  MYSQL("set time_zone = '+00:00'", "set time_zone = default", "select current_timestamp(6)"),
  MARIADB("set time_zone = '+00:00'", "set time_zone = default", "select current_timestamp(6)"),
  /** Whatever has a JDBC driver; its session's zone is the driver's matter. */
  OTHER(null, null, "select current_timestamp");

  private final @Nullable String inUtc;
  private final @Nullable String inDefault;
  private final String now;

  Source(@Nullable String inUtc, @Nullable String inDefault, String now) {
    this.inUtc = inUtc;
    this.inDefault = inDefault;
    this.now = now;
  }

  /** By the name that the database gives itself. */
  static Source of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName().toUpperCase(Locale.ROOT);
    for (Source source : values()) {
      if (source.name().equals(product)) {
        return source;
      }
    }
    return OTHER;
  }

  /** Makes the transaction one of one snapshot, in UTC, that reads only; when that snapshot is. */
  Instant begin(Connection connection) throws SQLException {
    try {
      connection.setReadOnly(true);
    } catch (SQLFeatureNotSupportedException e) {
      // A driver that cannot is trusted with the query alone.
    }
    boolean isRepeatable =
        connection
            .getMetaData()
            .supportsTransactionIsolationLevel(Connection.TRANSACTION_REPEATABLE_READ);
    connection.setTransactionIsolation(
        isRepeatable
            ? Connection.TRANSACTION_REPEATABLE_READ
            : Connection.TRANSACTION_SERIALIZABLE);
    try (Statement statement = connection.createStatement()) {
      if (inUtc != null) {
        statement.execute(inUtc);
      }
      try (ResultSet found = statement.executeQuery(now)) {
        found.next();
        return found.getObject(1, OffsetDateTime.class).toInstant();
      }
    }
  }

  /** Gives the session the zone back that the connection's next user expects. */
  void end(Connection connection) throws SQLException {
    if (inDefault != null) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(inDefault);
      }
    }
  }
}
