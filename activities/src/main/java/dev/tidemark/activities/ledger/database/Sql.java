package dev.tidemark.activities.ledger.database;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
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

  private static final int FETCH_SIZE = 5_000;

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

  /** Takes one row. */
  @FunctionalInterface
  public interface Reader {
    void read(Row row) throws SQLException;
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

    public <T> List<T> list(Mapper<T> mapper) throws SQLException {
      List<T> list = new ArrayList<>();
      results(row -> list.add(mapper.map(row)));
      return list;
    }

    /** Reads the rows of one statement as they come; bounded memory needs a transaction. */
    public void stream(Reader reader) throws SQLException {
      try (PreparedStatement statement = prepare()) {
        statement.setFetchSize(FETCH_SIZE);
        try (ResultSet result = statement.executeQuery()) {
          Row row = new Row(result);
          while (result.next()) {
            reader.read(row);
          }
        }
      }
    }

    /** Reads the rows of each statement that returns any: the first reader those of the first. */
    public void results(Reader... readers) throws SQLException {
      try (PreparedStatement statement = prepare()) {
        int read = 0;
        boolean rows = statement.execute();
        while (rows || statement.getUpdateCount() >= 0) {
          if (rows) {
            ResultSet result = statement.getResultSet();
            Row row = new Row(result);
            while (result.next()) {
              readers[read].read(row);
            }
            read++;
          }
          rows = statement.getMoreResults();
        }
      }
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
      for (Object element : list) {
        if (element instanceof Long) {
          return "int8";
        } else if (element instanceof Integer) {
          return "int4";
        } else if (element instanceof Boolean) {
          return "bool";
        } else if (element instanceof Instant) {
          return "timestamptz";
        }
      }
      return "text";
    }

    private @Nullable Object[] elements(List<?> list) {
      return list.stream()
          .map(element -> element instanceof Instant instant ? text(instant) : (Object) element)
          .toArray();
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
}
