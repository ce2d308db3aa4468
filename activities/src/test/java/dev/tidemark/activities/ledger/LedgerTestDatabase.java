package dev.tidemark.activities.ledger;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tidemark.activities.ledger.database.LedgerException;
import dev.tidemark.activities.ledger.database.LedgerSchema;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A fresh, migrated ledger on a real PostgreSQL: one server per JVM, one database per test class,
 * copied from a template. Sessions have a hostile time zone.
 */
public final class LedgerTestDatabase implements AutoCloseable {
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final String TEMPLATE = "ledger_template";

  private final HikariDataSource dataSource;

  private LedgerTestDatabase(HikariDataSource dataSource) {
    this.dataSource = dataSource;
  }

  /** A new database; close it after the test class. */
  public static LedgerTestDatabase create() {
    String name = "ledger_" + NUMBER.incrementAndGet();
    Server.run("create database " + name + " template " + TEMPLATE);
    return new LedgerTestDatabase(Server.pool(name, 20));
  }

  public DataSource dataSource() {
    return dataSource;
  }

  /** For another process; the user is postgres. */
  public String jdbcUrl() {
    return dataSource.getJdbcUrl();
  }

  /** Runs statements as they are, for what a test needs beside the ledger's own operations. */
  public void execute(String sql) {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new LedgerException(e);
    }
  }

  @Override
  public void close() {
    dataSource.close();
  }

  /** Started by the first test that needs it, ended with the JVM. */
  private static final class Server {
    private static final EmbeddedPostgres POSTGRES = start();

    private Server() {}

    private static EmbeddedPostgres start() {
      try {
        EmbeddedPostgres postgres =
            EmbeddedPostgres.builder().setServerConfig("max_connections", "200").start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(postgres)));
        return migrated(postgres);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void close(EmbeddedPostgres postgres) {
      try {
        postgres.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static EmbeddedPostgres migrated(EmbeddedPostgres postgres) {
      run(postgres, "create database " + TEMPLATE);
      try (HikariDataSource template = pool(postgres, TEMPLATE, 2)) {
        LedgerSchema.migrate(template);
      }
      return postgres;
    }

    static void run(String sql) {
      run(POSTGRES, sql);
    }

    private static void run(EmbeddedPostgres postgres, String sql) {
      try (Connection connection = postgres.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(sql);
      } catch (SQLException e) {
        throw new LedgerException(e);
      }
    }

    static HikariDataSource pool(String database, int size) {
      return pool(POSTGRES, database, size);
    }

    private static HikariDataSource pool(EmbeddedPostgres postgres, String database, int size) {
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(postgres.getJdbcUrl("postgres", database));
      config.setUsername("postgres");
      config.setMaximumPoolSize(size);
      config.setMinimumIdle(1);
      // The driver sets the time zone of the JVM: a session may have any other.
      config.setConnectionInitSql("set time zone 'Asia/Kathmandu'");
      return new HikariDataSource(config);
    }
  }
}
