package dev.tidemark.activities.export.row;

import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows by a cursor, as any JDBC driver has one. How many are fetched at once depends on the largest
 * row so far, so that rows of many megabytes do not come by the hundred.
 */
public final class CursorRows implements RowSource {
  private static final int FIRST_FETCH = 1;
  private static final int MAX_FETCH = 64;
  private static final int NANOS_OF_MICRO = 1_000;
  private static final long FETCH_BYTES = 16L * 1024 * 1024;

  private final ResultSet rows;
  private final List<Column> columns;
  private final Row row;
  private long largest = 1;
  private int fetch = FIRST_FETCH;
  private int inFetch;

  private CursorRows(ResultSet rows, List<Column> columns) {
    this.rows = rows;
    this.columns = columns;
    this.row = new Row(columns);
  }

  /** Starts the query, which is closed by the caller. */
  public static CursorRows start(PreparedStatement query, List<Column> columns)
      throws SQLException {
    query.setFetchSize(FIRST_FETCH);
    return new CursorRows(query.executeQuery(), columns);
  }

  @Override
  public @Nullable Row next() throws SQLException, Misfit {
    if (!rows.next()) {
      return null;
    }
    long bytes = 0;
    try {
      for (int i = 0; i < columns.size(); i++) {
        bytes += read(i, columns.get(i).type(), bytes);
      }
    } catch (Misfit misfit) {
      throw misfit.in(row.shown(0));
    }
    largest = Math.max(largest, bytes);
    adaptFetch();
    return row;
  }

  /** At most twice as many as before: one row of a kind unseen so far is not many. */
  private void adaptFetch() throws SQLException {
    inFetch++;
    if (inFetch < fetch) {
      return;
    }
    inFetch = 0;
    long fitting = Math.max(1, FETCH_BYTES / largest);
    fetch = (int) Math.min(fitting, Math.min(MAX_FETCH, 2L * fetch));
    rows.setFetchSize(fetch);
  }

  /** Sets the value; how many bytes it has where that is not a few. */
  private int read(int column, ColumnType type, long before) throws SQLException, Misfit {
    int at = column + 1;
    switch (type.kind()) {
      case BOOLEAN -> row.set(column, rows.getBoolean(at) ? 1 : 0);
      case INT -> row.set(column, rows.getInt(at));
      case BIGINT -> row.set(column, rows.getLong(at));
      case DOUBLE -> row.set(column, rows.getDouble(at));
      case DECIMAL -> decimal(column, rows.getObject(at));
      case DATE -> date(column, rows.getObject(at, LocalDate.class));
      case TIMESTAMP -> time(column, rows.getObject(at, OffsetDateTime.class));
      case STRING, JSON -> {
        return bytes(column, encoded(column, rows.getString(at)), before);
      }
      case BYTES -> {
        return bytes(column, rows.getBytes(at), before);
      }
    }
    if (rows.wasNull()) {
      row.setNull(column);
    }
    return 0;
  }

  /** Of half a character, which strings of Java can have, UTF-8 has only a question mark. */
  private static byte @Nullable [] encoded(int column, @Nullable String text) throws Misfit {
    if (text == null) {
      return null;
    }
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSupplementaryCodePoint(text.codePointAt(i))) {
        i++;
      } else if (Character.isSurrogate(text.charAt(i))) {
        throw Misfit.of(column, text, "it takes Unicode, and this has half a character");
      }
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private int bytes(int column, byte @Nullable [] value, long before) throws Misfit {
    if (value == null) {
      row.setNull(column);
      return 0;
    }
    Fit.size(column, value.length, before + value.length);
    row.set(column, value, 0, value.length);
    return value.length;
  }

  /** What is no number comes as a Double: NaN, and the infinities. */
  private void decimal(int column, @Nullable Object found) throws Misfit {
    if (found instanceof Double none) {
      throw Fit.noNumber(column, none.toString());
    }
    if (found != null) {
      BigDecimal value =
          found instanceof BigDecimal number ? number : new BigDecimal(found.toString());
      Fit.decimal(row, column, value);
    }
  }

  private void date(int column, @Nullable LocalDate date) throws Misfit {
    if (date == null) {
      return;
    }
    if (date.equals(LocalDate.MAX) || date.equals(LocalDate.MIN)) {
      throw Fit.infinite(column, date.equals(LocalDate.MAX));
    }
    Fit.day(row, column, date.toEpochDay());
  }

  private void time(int column, @Nullable OffsetDateTime time) throws Misfit {
    if (time == null) {
      return;
    }
    if (time.equals(OffsetDateTime.MAX) || time.equals(OffsetDateTime.MIN)) {
      throw Fit.infinite(column, time.equals(OffsetDateTime.MAX));
    }
    if (time.getNano() % NANOS_OF_MICRO != 0) {
      throw Misfit.of(
          column, time.toString(), "it takes microseconds, and nothing is rounded here");
    }
    Instant instant = time.toInstant();
    Fit.micros(
        row,
        column,
        Math.addExact(
            Math.multiplyExact(instant.getEpochSecond(), 1_000_000L),
            instant.getNano() / NANOS_OF_MICRO));
  }

  @Override
  public void close() throws SQLException {
    rows.close();
  }
}
