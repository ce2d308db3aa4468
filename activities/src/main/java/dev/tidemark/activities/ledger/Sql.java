package dev.tidemark.activities.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * SQL text with {@code :named} parameters. Several statements in one text travel in one round trip,
 * each with a snapshot of its own.
 */
public final class Sql {
  private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z][a-z_]*)");

  /** No statement of the ledger may take longer: a bound, not a target. */
  private static final int TIMEOUT_SECONDS = 60;

  private final String text;
  private final List<String> names;

  private Sql(String text, List<String> names) {
    this.text = text;
    this.names = names;
  }

  public static Sql of(String named) {
    List<String> names = new ArrayList<>();
    Matcher matcher = PARAMETER.matcher(named);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return new Sql(matcher.replaceAll("?"), List.copyOf(names));
  }

  public Call on(Connection connection) {
    return new Call(connection);
  }

  /** Makes one value of a row. */
  @FunctionalInterface
  public interface Mapper<T> {
    T map(Row row) throws SQLException;
  }

  /** One execution: parameters are set by name, then it runs once. */
  public final class Call {
    private final Connection connection;
    private final Map<String, @Nullable Object> values = new HashMap<>();

    private Call(Connection connection) {
      this.connection = connection;
    }

    /** Instants, texts, numbers, booleans, null, and lists or arrays of them. */
    public Call set(String name, @Nullable Object value) {
      values.put(name, value);
      return this;
    }

    public int update() throws SQLException {
      try (PreparedStatement statement = prepare()) {
        return statement.executeUpdate();
      }
    }

    public <T> Optional<T> first(Mapper<T> mapper) throws SQLException {
      return list(mapper).stream().findFirst();
    }

    /** The rows of the last statement that returns any. */
    public <T> List<T> list(Mapper<T> mapper) throws SQLException {
      List<List<T>> results = results(mapper);
      return results.isEmpty() ? List.of() : results.get(results.size() - 1);
    }

    /** The rows of each statement that returns any. */
    @SafeVarargs
    public final <T> List<List<T>> results(Mapper<? extends T>... mappers) throws SQLException {
      List<List<T>> results = new ArrayList<>();
      try (PreparedStatement statement = prepare()) {
        boolean rows = statement.execute();
        while (rows || statement.getUpdateCount() >= 0) {
          if (rows) {
            results.add(
                read(
                    statement.getResultSet(),
                    mappers[Math.min(results.size(), mappers.length - 1)]));
          }
          rows = statement.getMoreResults();
        }
      }
      return results;
    }

    private <T> List<T> read(ResultSet result, Mapper<? extends T> mapper) throws SQLException {
      List<T> list = new ArrayList<>();
      Row row = new Row(result);
      while (result.next()) {
        list.add(mapper.map(row));
      }
      return list;
    }

    private PreparedStatement prepare() throws SQLException {
      PreparedStatement statement = connection.prepareStatement(text);
      try {
        statement.setQueryTimeout(TIMEOUT_SECONDS);
        for (int i = 0; i < names.size(); i++) {
          String name = names.get(i);
          if (!values.containsKey(name)) {
            throw new IllegalStateException("parameter :" + name + " is not set in " + text);
          }
          bind(statement, i + 1, values.get(name));
        }
        return statement;
      } catch (SQLException | RuntimeException e) {
        statement.close();
        throw e;
      }
    }

    private void bind(PreparedStatement statement, int index, @Nullable Object value)
        throws SQLException {
      if (value == null) {
        statement.setNull(index, Types.NULL);
      } else if (value instanceof Instant instant) {
        statement.setObject(index, utc(instant));
      } else if (value instanceof List<?> list) {
        statement.setArray(index, connection.createArrayOf(elementType(list), elements(list)));
      } else {
        statement.setObject(index, value);
      }
    }

    private String elementType(List<?> list) {
      Object first = list.stream().<Object>map(x -> x).findFirst().orElse("");
      if (first instanceof Long) {
        return "int8";
      }
      if (first instanceof Integer) {
        return "int4";
      }
      if (first instanceof Boolean) {
        return "bool";
      }
      return first instanceof Instant ? "timestamptz" : "text";
    }

    private @Nullable Object[] elements(List<?> list) {
      return list.stream().map(x -> x instanceof Instant instant ? text(instant) : x).toArray();
    }

    private String text(Instant instant) {
      if (instant.equals(Instant.MIN)) {
        return "-infinity";
      }
      return instant.toString();
    }

    private OffsetDateTime utc(Instant instant) {
      return instant.equals(Instant.MIN)
          ? OffsetDateTime.MIN
          : OffsetDateTime.ofInstant(instant, ZoneOffset.UTC);
    }
  }

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

    /** The texts of an array; empty where it is null. */
    public List<String> texts(String column) throws SQLException {
      java.sql.Array array = result.getArray(column);
      return array == null ? List.of() : Arrays.asList((String[]) array.getArray());
    }

    private <T> T present(String column, @Nullable T value) {
      if (value == null) {
        throw new IllegalStateException("column " + column + " must not be null");
      }
      return value;
    }
  }
}
