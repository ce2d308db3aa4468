package dev.tidemark.activities.inputs;

import dev.tidemark.activities.connection.NamedSql;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import javax.sql.DataSource;

/**
 * Versions from a query (contracts, section 2): {@code partition}, {@code version}, and one column
 * per dimension that it tells apart. {@code :from} and {@code :to} bound it, {@code :to} exclusive.
 */
final class SqlDetector implements ChangeDetector {
  private static final int MAX_ROWS = 5_000_000;
  private static final int FETCH_SIZE = 5_000;
  private static final int TIMEOUT_SECONDS = 300;

  private final DataSource database;
  private final NamedSql sql;
  private final Optional<SortedSet<String>> dimensions;

  /**
   * @param dimensions of the pipeline's slices, or empty where only a query knows them
   */
  SqlDetector(DataSource database, String sql, Optional<SortedSet<String>> dimensions) {
    this.database = database;
    this.sql = NamedSql.parse(sql);
    this.dimensions = dimensions;
  }

  @Override
  public void scan(Range range, Consumer<Found> found) throws DetectorException, SQLException {
    ZoneId zone = range.partitions().zone();
    Map<String, String> bounds =
        Map.of("from", NamedSql.time(range.from(), zone), "to", NamedSql.time(range.to(), zone));
    try (Connection connection = database.getConnection()) {
      connection.setReadOnly(true);
      // A cursor, and so a bounded memory, needs a transaction.
      connection.setAutoCommit(false);
      try (PreparedStatement statement = sql.prepare(connection, bounds)) {
        statement.setFetchSize(FETCH_SIZE);
        statement.setMaxRows(MAX_ROWS + 1);
        statement.setQueryTimeout(TIMEOUT_SECONDS);
        try (ResultSet rows = statement.executeQuery()) {
          read(rows, range, found);
        }
      } finally {
        connection.rollback();
      }
    }
  }

  private void read(ResultSet rows, Range range, Consumer<Found> found)
      throws SQLException, DetectorException {
    List<String> slices = sliceColumns(rows.getMetaData());
    Set<String> seen = new HashSet<>();
    for (int n = 0; rows.next(); n++) {
      if (n == MAX_ROWS) {
        throw new DetectorException(
            "the query returns more than "
                + MAX_ROWS
                + " rows; bound it with :from and :to, and group it by partition");
      }
      Window window = window(rows, range.partitions());
      if (window.start().isBefore(range.from()) || !window.start().isBefore(range.to())) {
        continue;
      }
      Slice slice = slice(rows, slices);
      if (!seen.add(window.label() + "/" + slice.canonical())) {
        throw new DetectorException(
            "the query returns partition "
                + window.label()
                + " "
                + slice.canonical()
                + " twice; group it by partition");
      }
      found.accept(new Found(window.label(), slice, version(rows, window)));
    }
  }

  private List<String> sliceColumns(ResultSetMetaData columns)
      throws SQLException, DetectorException {
    List<String> all = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      all.add(columns.getColumnLabel(i));
    }
    if (!all.contains("partition") || !all.contains("version")) {
      throw new DetectorException(
          "the query must return the columns partition and version; it returns " + all);
    }
    List<String> slices =
        all.stream().filter(name -> !name.equals("partition") && !name.equals("version")).toList();
    if (dimensions.isPresent() && !dimensions.get().containsAll(slices)) {
      throw new DetectorException(
          "the query returns "
              + slices
              + " besides partition and version; the pipeline's dimensions are "
              + dimensions.get());
    }
    return slices;
  }

  private static Window window(ResultSet rows, Partitioning partitions)
      throws SQLException, DetectorException {
    Object value = rows.getObject("partition");
    if (value == null) {
      throw new DetectorException("the query returns a row whose partition is null");
    }
    ZoneId zone = partitions.zone();
    if (value instanceof Date) {
      LocalDate date = rows.getObject("partition", LocalDate.class);
      return partitions.containing(date.atStartOfDay(zone).toInstant());
    }
    if (value instanceof Timestamp) {
      return isInstant(rows, "partition")
          ? partitions.containing(rows.getObject("partition", OffsetDateTime.class).toInstant())
          : partitions.containing(
              rows.getObject("partition", LocalDateTime.class).atZone(zone).toInstant());
    }
    try {
      return partitions.parse(value.toString());
    } catch (IllegalArgumentException e) {
      throw new DetectorException(
          "the query returns the partition '" + value + "': " + e.getMessage(), e);
    }
  }

  private static boolean isInstant(ResultSet rows, String column) throws SQLException {
    String type = rows.getMetaData().getColumnTypeName(rows.findColumn(column));
    return type.equalsIgnoreCase("timestamptz");
  }

  private static Slice slice(ResultSet rows, List<String> columns)
      throws SQLException, DetectorException {
    if (columns.isEmpty()) {
      return Slice.EMPTY;
    }
    Map<String, String> values = new TreeMap<>();
    for (String column : columns) {
      String value = rows.getString(column);
      if (value == null) {
        throw new DetectorException("the query returns a row whose " + column + " is null");
      }
      values.put(column, value);
    }
    return Slice.of(values);
  }

  /** One text for one value, whatever the session's time zone and formats are. */
  private static String version(ResultSet rows, Window window)
      throws SQLException, DetectorException {
    Object value = rows.getObject("version");
    if (value == null) {
      throw new DetectorException(
          "the query returns no version (null) for partition " + window.label());
    }
    if (value instanceof Timestamp) {
      return isInstant(rows, "version")
          ? rows.getObject("version", OffsetDateTime.class).toInstant().toString()
          : rows.getObject("version", LocalDateTime.class).toString();
    }
    if (value instanceof BigDecimal number) {
      return number.stripTrailingZeros().toPlainString();
    }
    return value.toString();
  }
}
