package dev.tidemark.activities.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A user's SQL with named parameters, {@code :partition}. Names in quotes, comments and dollar
 * quotes are left alone, and so are {@code ::} casts.
 *
 * <p>Values are bound without a type, so that the database takes the one that its place needs: one
 * {@code :start} compares with a date, a timestamp and a timestamptz. Where a place has no type of
 * its own, such as interval arithmetic, the SQL must cast: {@code :start::timestamptz}.
 */
public final class NamedSql {
  /** What may not hold a parameter, then a parameter, then what JDBC must see doubled. */
  private static final Pattern TOKEN =
      Pattern.compile(
          """
          (?<skip>
              --[^\\n]*+
            | /\\*.*?\\*/
            | \\b[eE]'(?:[^'\\\\]++|\\\\.)*+'
            | '[^']*+'
            | "[^"]*+"
            | \\$\\$.*?\\$\\$
            | (?<![A-Za-z0-9_])\\$(?<tag>[A-Za-z_]\\w*)\\$.*?\\$\\k<tag>\\$
            | ::
          )
          | (?<![A-Za-z0-9_:]):(?<name>[A-Za-z_]\\w*)
          | (?<question>\\?)
          """,
          Pattern.COMMENTS | Pattern.DOTALL);

  private final String jdbc;
  private final List<String> names;

  private NamedSql(String jdbc, List<String> names) {
    this.jdbc = jdbc;
    this.names = List.copyOf(names);
  }

  public static NamedSql parse(String sql) {
    StringBuilder jdbc = new StringBuilder();
    List<String> names = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(sql);
    while (matcher.find()) {
      String replacement = matcher.group();
      String name = matcher.group("name");
      if (name != null) {
        names.add(name);
        replacement = "?";
      } else if (matcher.group("question") != null) {
        // The operator of jsonb, not a parameter.
        replacement = "??";
      }
      matcher.appendReplacement(jdbc, Matcher.quoteReplacement(replacement));
    }
    matcher.appendTail(jdbc);
    return new NamedSql(jdbc.toString(), names);
  }

  /** The text of an instant that is right as a date, a timestamp and a timestamptz alike. */
  public static String time(Instant instant, ZoneId zone) {
    // A date takes the date of the text, a timestamp its wall time, a timestamptz the offset too.
    return DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(instant.atZone(zone));
  }

  /** The names in order of appearance; a name that is used twice is there twice. */
  public List<String> names() {
    return names;
  }

  /**
   * The statement with its values bound; the caller closes it.
   *
   * @throws IllegalArgumentException if a parameter has no value; the message lists those there are
   */
  public PreparedStatement prepare(Connection connection, Map<String, String> values)
      throws SQLException {
    for (String name : names) {
      if (!values.containsKey(name)) {
        throw new IllegalArgumentException(
            "the SQL has the parameter :" + name + "; there are " + new TreeSet<>(values.keySet()));
      }
    }
    PreparedStatement statement = connection.prepareStatement(jdbc);
    // PostgreSQL takes the type that the place needs; others make a value of the text.
    int type = isPostgres(connection) ? Types.OTHER : Types.VARCHAR;
    try {
      for (int i = 0; i < names.size(); i++) {
        statement.setObject(i + 1, values.get(names.get(i)), type);
      }
      return statement;
    } catch (SQLException e) {
      statement.close();
      throw e;
    }
  }

  private static boolean isPostgres(Connection connection) throws SQLException {
    return "PostgreSQL".equals(connection.getMetaData().getDatabaseProductName());
  }

  @Override
  public String toString() {
    return jdbc;
  }
}
