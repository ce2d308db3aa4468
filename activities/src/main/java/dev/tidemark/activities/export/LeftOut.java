package dev.tidemark.activities.export;

import dev.tidemark.activities.connection.NamedSql;
import dev.tidemark.activities.export.Exporter.Ending;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Rows of a partition that its query leaves out on purpose (B17).
 *
 * @param reason in the words of whoever wrote the query
 */
public record LeftOut(String reason, long rows) {
  /** More would be a list of rows, not of reasons. */
  private static final int MOST = 100;

  /**
   * Asks for them: a reason and a number in each row.
   *
   * @throws SchemaMismatchException if the query returns something else, or too many of them
   */
  static List<LeftOut> read(
      Connection connection,
      String sql,
      Map<String, String> values,
      int timeoutSeconds,
      Ending ending)
      throws SQLException, SchemaMismatchException {
    List<LeftOut> found = new ArrayList<>();
    try (PreparedStatement query = NamedSql.parse(sql).prepare(connection, values)) {
      query.setQueryTimeout(timeoutSeconds);
      query.setMaxRows(MOST + 1);
      ending.onEnd(() -> Exporter.cancel(query::cancel));
      try (ResultSet rows = query.executeQuery()) {
        int columns = rows.getMetaData().getColumnCount();
        if (columns != 2) {
          throw refused("it returns " + columns + " columns");
        }
        while (rows.next()) {
          found.add(of(rows));
        }
      } finally {
        ending.onEnd(null);
      }
    }
    if (found.size() > MOST) {
      throw refused("it returns more than " + MOST + " rows; group them by fewer reasons");
    }
    return found;
  }

  private static LeftOut of(ResultSet rows) throws SQLException, SchemaMismatchException {
    String reason = String.valueOf(rows.getString(1));
    long count = rows.getLong(2);
    if (rows.wasNull()) {
      throw refused("the number of '" + reason + "' is null; coalesce(..., 0) makes it one");
    }
    return new LeftOut(reason, count);
  }

  private static SchemaMismatchException refused(String why) {
    return new SchemaMismatchException(
        "left-out must return a reason and a number of rows, in at most %s rows: %s. Nothing was written"
            .formatted(MOST, why));
  }
}
