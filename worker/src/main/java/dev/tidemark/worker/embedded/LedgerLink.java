package dev.tidemark.worker.embedded;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tidemark.activities.ledger.database.LedgerSchema;
import dev.tidemark.worker.configuration.LedgerSettings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/** A connection pool to a ledger that answered. */
record LedgerLink(String url, HikariDataSource pool) implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(8);
  private static final Duration LOGIN = Duration.ofSeconds(6);
  private static final int MAX_CONNECTIONS = 16;

  /** Connects to a ledger and looks whether it answers. */
  static LedgerLink connect(LedgerSettings settings) throws ServiceUnavailableException {
    String shown = withoutParameters(settings.url());
    // A pool would try again and again until its own time is over: ask once, directly.
    try (Connection connection = DriverManager.getConnection(settings.url(), login(settings))) {
      connection.isValid((int) LOGIN.toSeconds());
    } catch (SQLException | RuntimeException e) {
      throw new ServiceUnavailableException(
          "cannot reach the ledger at "
              + shown
              + ": "
              + reason(e)
              + ". Start PostgreSQL there, or correct ledger.url, username and password; without"
              + " ledger in the configuration an embedded one is used",
          e);
    }
    return new LedgerLink(shown, new HikariDataSource(config(settings)));
  }

  private static Properties login(LedgerSettings settings) {
    Properties login = new Properties();
    if (settings.username() != null) {
      login.setProperty("user", settings.username());
    }
    if (settings.password() != null) {
      login.setProperty("password", settings.password());
    }
    login.setProperty("ApplicationName", "tidemark");
    login.setProperty("tcpKeepAlive", "true");
    // Also for a server that accepts a connection and then says nothing.
    login.setProperty("loginTimeout", String.valueOf(LOGIN.toSeconds()));
    return login;
  }

  private static HikariConfig config(LedgerSettings settings) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("ledger");
    config.setJdbcUrl(settings.url());
    config.setMaximumPoolSize(MAX_CONNECTIONS);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(CONNECT.toMillis());
    config.setInitializationFailTimeout(-1);
    config.setDataSourceProperties(login(settings));
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
