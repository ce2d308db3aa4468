package dev.tidemark.activities.connection;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** One PostgreSQL per JVM; each test takes a database of its own, in a hostile time zone. */
public final class TestPostgres {
  private static final EmbeddedPostgres SERVER = start();
  private static final AtomicInteger DATABASES = new AtomicInteger();

  private TestPostgres() {}

  private static EmbeddedPostgres start() {
    try {
      return EmbeddedPostgres.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An empty database. */
  public static DataSource newDatabase() throws SQLException {
    String name = "doing" + DATABASES.incrementAndGet();
    execute(SERVER.getPostgresDatabase(), "create database " + name);
    execute(
        SERVER.getPostgresDatabase(),
        "alter database " + name + " set timezone = 'Asia/Kathmandu'");
    PGSimpleDataSource database = new PGSimpleDataSource();
    database.setUrl(SERVER.getJdbcUrl("postgres", name));
    return database;
  }

  public static void execute(DataSource database, String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
