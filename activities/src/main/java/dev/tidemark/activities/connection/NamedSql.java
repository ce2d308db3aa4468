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
import org.postgresql.PGConnection;

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
          | (?<end>;(?:\\s|--[^\\n]*+|/\\*.*?\\*/)*+\\z)
          | (?<![A-Za-z0-9_:]):(?<name>[A-Za-z_]\\w*)
          | (?<question>\\?)
          """,
          Pattern.COMMENTS | Pattern.DOTALL);

  private final String jdbc;
  private final List<String> names;

  /** What is between the parameters, as it was written, and without a semicolon at its end. */
  private final List<String> between;

  private NamedSql(String jdbc, List<String> names, List<String> between) {
    this.jdbc = jdbc;
    this.names = List.copyOf(names);
    this.between = List.copyOf(between);
  }

  public static NamedSql parse(String sql) {
    StringBuilder jdbc = new StringBuilder();
    List<String> names = new ArrayList<>();
    List<String> between = new ArrayList<>();
    int from = 0;
    int end = sql.length();
    Matcher matcher = TOKEN.matcher(sql);
    while (matcher.find()) {
      String replacement = matcher.group();
      String name = matcher.group("name");
      if (name != null) {
        names.add(name);
        between.add(sql.substring(from, matcher.start()));
        from = matcher.end();
        replacement = "?";
      } else if (matcher.group("end") != null) {
        end = matcher.start();
      } else if (matcher.group("question") != null) {
        // The operator of jsonb, not a parameter.
        replacement = "??";
      }
      matcher.appendReplacement(jdbc, Matcher.quoteReplacement(replacement));
    }
    matcher.appendTail(jdbc);
    between.add(sql.substring(from, end));
    return new NamedSql(jdbc.toString(), names, between);
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
    checkNames(values);
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

  private void checkNames(Map<String, String> values) {
    for (String name : names) {
      if (!values.containsKey(name)) {
        throw new IllegalArgumentException(
            "the SQL has the parameter :" + name + "; there are " + new TreeSet<>(values.keySet()));
      }
    }
  }

  /**
   * The text with its values as literals, for {@code copy (...)}, which takes no parameters; a
   * semicolon at its end is left out.
   *
   * <p>What makes it the same statement: a literal without a type takes the type of its place, just
   * as a parameter without one does, and a literal in parentheses may stand wherever a parameter
   * may (both are a {@code c_expr} of PostgreSQL's grammar). What keeps a value inside its quotes:
   * it is quoted by the driver, which knows how the session reads backslashes; the parentheses part
   * it from what is before it, such as {@code U&} or another literal; and the caller has prepared
   * the same text first, so that no parameter is in a quote or a comment that only PostgreSQL sees.
   *
   * @throws SQLException if a value has a NUL, which no text of PostgreSQL can have
   * @throws IllegalArgumentException if a parameter has no value
   */
  public String inline(PGConnection connection, Map<String, String> values) throws SQLException {
    checkNames(values);
    StringBuilder text = new StringBuilder(between.get(0));
    for (int i = 0; i < names.size(); i++) {
      text.append("('")
          .append(connection.escapeLiteral(values.get(names.get(i))))
          .append("')")
          .append(between.get(i + 1));
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return jdbc;
  }
}
