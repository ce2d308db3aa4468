package dev.tidemark.worker.embedded;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tidemark.activities.ledger.LedgerSchema;
import dev.tidemark.worker.configuration.LedgerSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** A connection pool to a ledger that answered. */
record LedgerLink(String url, HikariDataSource pool) implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(8);
  private static final int MAX_CONNECTIONS = 16;

  /** Connects to a ledger and looks whether it answers. */
  static LedgerLink connect(LedgerSettings settings) throws ServiceUnavailableException {
    String shown = withoutParameters(settings.url());
    HikariDataSource pool = null;
    try {
      pool = new HikariDataSource(config(settings));
      try (Connection connection = pool.getConnection()) {
        connection.isValid((int) CONNECT.toSeconds());
      }
      return new LedgerLink(shown, pool);
    } catch (SQLException | RuntimeException e) {
      if (pool != null) {
        pool.close();
      }
      throw new ServiceUnavailableException(
          "cannot reach the ledger at "
              + shown
              + ": "
              + reason(e)
              + ". Start PostgreSQL there, or correct ledger.url, username and password; without"
              + " ledger in the configuration an embedded one is used",
          e);
    }
  }

  private static HikariConfig config(LedgerSettings settings) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("ledger");
    config.setJdbcUrl(settings.url());
    config.setUsername(settings.username());
    config.setPassword(settings.password());
    config.setMaximumPoolSize(MAX_CONNECTIONS);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(CONNECT.toMillis());
    config.setInitializationFailTimeout(-1);
    config.addDataSourceProperty("ApplicationName", "tidemark");
    config.addDataSourceProperty("tcpKeepAlive", "true");
    // The statements are written for these, whatever the server's or the role's defaults are.
    config.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    config.setConnectionInitSql(
        "set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'");
    return config;
  }

  /** The innermost cause says most: a refused connection, a wrong password. */
  private static String reason(Throwable e) {
    Throwable innermost = e;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    String message = innermost.getMessage();
    return (message == null ? innermost.toString() : message).lines().findFirst().orElse("");
  }

  /** A URL's parameters may hold a password. */
  private static String withoutParameters(String url) {
    int parameters = url.indexOf('?');
    return parameters < 0 ? url : url.substring(0, parameters);
  }

  /** Creates or upgrades the schema where it is not current. */
  void migrate() throws ServiceUnavailableException {
    try {
      if (!LedgerSchema.isCurrent(pool)) {
        LedgerSchema.migrate(pool);
      }
    } catch (RuntimeException e) {
      throw new ServiceUnavailableException(
          "cannot migrate the ledger at " + url + ": " + reason(e), e);
    }
  }

  /** Refuses a ledger whose schema is missing or old. */
  void requireSchema() throws ServiceUnavailableException {
    boolean current;
    try {
      current = LedgerSchema.isCurrent(pool);
    } catch (RuntimeException e) {
      throw new ServiceUnavailableException(
          "cannot read the schema of the ledger at " + url + ": " + reason(e), e);
    }
    if (!current) {
      throw new ServiceUnavailableException(
          "the ledger at " + url + " lacks the schema of this version: run `tidemark migrate`");
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
