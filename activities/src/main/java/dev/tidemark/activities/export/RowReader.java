package dev.tidemark.activities.export;

import dev.tidemark.activities.export.MisfitException.Misfit;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows as the values that the writers take: {@code Boolean, Integer, Long, Double,
 * BigDecimal} of the column's scale, {@code String} (also for JSON), {@code LocalDate, Instant,
 * byte[]}, and null. A value that its column cannot hold is refused, never bent.
 */
final class RowReader {
  private static final String YEARS = "it takes the years 1 to 9999; the query can leave it out";

  private final List<Column> columns;
  private final @Nullable Object[] row;

  RowReader(List<Column> columns) {
    this.columns = columns;
    this.row = new Object[columns.size()];
  }

  /** The row at the cursor; the same array each time. */
  @Nullable Object[] read(ResultSet rows) throws SQLException, MisfitException {
    for (int i = 0; i < row.length; i++) {
      Object value = value(rows, i + 1, columns.get(i).type());
      if (value instanceof Misfit misfit) {
        throw MisfitException.of(
            columns.get(i).name(), columns.get(0).name(), rows.getString(1), misfit);
      }
      row[i] = value;
    }
    return row;
  }

  /** The value, or the {@link Misfit} that it is. */
  private static @Nullable Object value(ResultSet rows, int at, ColumnType type)
      throws SQLException {
    Object value =
        switch (type.kind()) {
          case BOOLEAN -> rows.getBoolean(at);
          case INT -> rows.getInt(at);
          case BIGINT -> rows.getLong(at);
          case DOUBLE -> rows.getDouble(at);
          case DECIMAL -> decimal(rows.getObject(at), type);
          case STRING, JSON -> rows.getString(at);
          case DATE -> date(rows.getObject(at, LocalDate.class), rows, at);
          case TIMESTAMP -> instant(rows.getObject(at, OffsetDateTime.class), rows, at);
          case BYTES -> rows.getBytes(at);
        };
    return rows.wasNull() ? null : value;
  }

  /** What is no number comes as a Double: NaN, and the infinities. */
  private static @Nullable Object decimal(@Nullable Object found, ColumnType type) {
    if (found == null) {
      return null;
    }
    if (found instanceof Double) {
      return new Misfit(found, type.toString(), "it takes numbers");
    }
    BigDecimal value =
        found instanceof BigDecimal number
            ? number
            : BigDecimal.valueOf(((Number) found).longValue());
    BigDecimal kept = value.setScale(type.scale(), RoundingMode.DOWN);
    if (kept.compareTo(value) != 0 || kept.precision() > type.precision()) {
      return new Misfit(value.toPlainString(), type.toString(), "nothing is rounded here");
    }
    return kept;
  }

  private static @Nullable Object date(@Nullable LocalDate date, ResultSet rows, int at)
      throws SQLException {
    return date == null || isYear(date.getYear())
        ? date
        : new Misfit(rows.getString(at), "date", YEARS);
  }

  private static @Nullable Object instant(@Nullable OffsetDateTime time, ResultSet rows, int at)
      throws SQLException {
    if (time == null) {
      return null;
    }
    Instant instant = time.toInstant();
    boolean fits =
        !time.equals(OffsetDateTime.MIN)
            && !time.equals(OffsetDateTime.MAX)
            && isYear(instant.atOffset(ZoneOffset.UTC).getYear());
    return fits ? instant : new Misfit(rows.getString(at), "timestamp", YEARS);
  }

  private static boolean isYear(int year) {
    return year >= 1 && year <= 9999;
  }
}
