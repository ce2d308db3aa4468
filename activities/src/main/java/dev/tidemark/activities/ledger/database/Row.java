package dev.tidemark.activities.ledger.database;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The current row of a result, by column name. */
public record Row(ResultSet result) {
  public String text(String column) throws SQLException {
    return present(column, result.getString(column));
  }

  public @Nullable String textOrNull(String column) throws SQLException {
    return result.getString(column);
  }

  public Instant instant(String column) throws SQLException {
    return present(column, instantOrNull(column));
  }

  public @Nullable Instant instantOrNull(String column) throws SQLException {
    OffsetDateTime value = result.getObject(column, OffsetDateTime.class);
    return value == null ? null : value.toInstant();
  }

  public long number(String column) throws SQLException {
    return result.getLong(column);
  }

  public @Nullable Long numberOrNull(String column) throws SQLException {
    long value = result.getLong(column);
    return result.wasNull() ? null : value;
  }

  public int integer(String column) throws SQLException {
    return result.getInt(column);
  }

  public boolean flag(String column) throws SQLException {
    return result.getBoolean(column);
  }

  public @Nullable Boolean flagOrNull(String column) throws SQLException {
    boolean value = result.getBoolean(column);
    return result.wasNull() ? null : value;
  }

  /** The texts of an array; empty where it is null. */
  public List<String> texts(String column) throws SQLException {
    Array array = result.getArray(column);
    return array == null ? List.of() : Arrays.asList((String[]) array.getArray());
  }

  private <T> T present(String column, @Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("column " + column + " must not be null");
    }
    return value;
  }
}
