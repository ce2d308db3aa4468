package dev.tidemark.activities.index.source;

import dev.tidemark.workflows.index.Datasource;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** All rows of a query, in one transaction of the database with the query of their version. */
final class QuerySource implements Source {
  private static final int FETCH_SIZE = 5_000;

  private static final String NOW = "select current_timestamp";

  private final Datasource.FromSql origin;
  private final DataSource database;

  QuerySource(Datasource.FromSql origin, DataSource database) {
    this.origin = origin;
    this.database = database;
  }

  @Override
  public List<Found> find() throws IOException {
    return inTransaction(
        connection -> {
          Object now = one(connection, NOW);
          Instant at = now instanceof OffsetDateTime time ? time.toInstant() : Instant.EPOCH;
          return List.of(new Found(Found.ALL, version(connection), at));
        });
  }

  /** The version is asked for first: what comes between it and the rows is read again. */
  @Override
  public String read(Transaction transaction, RawRow.Sink sink) throws IOException {
    return inTransaction(
        connection -> {
          String version = version(connection);
          try (PreparedStatement statement = connection.prepareStatement(origin.sql())) {
            statement.setFetchSize(FETCH_SIZE);
            try (ResultSet rows = statement.executeQuery()) {
              read(rows, sink);
            }
          }
          return version;
        });
  }

  /** Without a query for it each moment has a version of its own, and the rows are compared. */
  private String version(Connection connection) throws SQLException, IOException {
    String query = origin.version();
    Object version = one(connection, query == null ? NOW : query);
    return version == null
        ? ""
        : version instanceof OffsetDateTime time ? time.toInstant().toString() : version.toString();
  }

  private static @Nullable Object one(Connection connection, String query)
      throws SQLException, IOException {
    try (PreparedStatement statement = connection.prepareStatement(query);
        ResultSet rows = statement.executeQuery()) {
      if (!rows.next()) {
        throw new BadRowsException("the version's query gives no row: " + query);
      }
      return value(rows, 1);
    }
  }

  private static void read(ResultSet rows, RawRow.Sink sink) throws SQLException, IOException {
    ResultSetMetaData query = rows.getMetaData();
    Map<String, Integer> columns = new HashMap<>();
    for (int i = 1; i <= query.getColumnCount(); i++) {
      columns.put(query.getColumnLabel(i), i - 1);
    }
    while (rows.next()) {
      List<@Nullable Object> values = new ArrayList<>();
      for (int i = 1; i <= query.getColumnCount(); i++) {
        values.add(value(rows, i));
      }
      sink.row(new RawRow.OfColumns(columns, values));
    }
  }

  /** Never in the zone of the session: times with a zone are instants, dates are days. */
  private static @Nullable Object value(ResultSet rows, int at) throws SQLException {
    return switch (rows.getMetaData().getColumnType(at)) {
      case Types.DATE -> rows.getObject(at, LocalDate.class);
      case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE ->
          isInstant(rows, at)
              ? rows.getObject(at, OffsetDateTime.class)
              : rows.getObject(at, LocalDateTime.class);
      case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> rows.getBytes(at);
      case Types.BOOLEAN, Types.BIT, Types.REAL, Types.FLOAT, Types.DOUBLE -> rows.getObject(at);
      case Types.NUMERIC, Types.DECIMAL -> rows.getBigDecimal(at);
      default -> rows.getString(at);
    };
  }

  private static boolean isInstant(ResultSet rows, int at) throws SQLException {
    return rows.getMetaData().getColumnType(at) == Types.TIMESTAMP_WITH_TIMEZONE
        || rows.getMetaData().getColumnTypeName(at).equalsIgnoreCase("timestamptz");
  }

  private interface Work<T> {
    T run(Connection connection) throws SQLException, IOException;
  }

  private <T> T inTransaction(Work<T> work) throws IOException {
    try (Connection connection = database.getConnection()) {
      connection.setReadOnly(true);
      // A cursor, and so a bounded memory, needs a transaction.
      connection.setAutoCommit(false);
      try {
        return work.run(connection);
      } finally {
        connection.rollback();
      }
    } catch (SQLException e) {
      throw new IOException(
          "connection '%s': %s".formatted(origin.connection(), e.getMessage()), e);
    }
  }
}
