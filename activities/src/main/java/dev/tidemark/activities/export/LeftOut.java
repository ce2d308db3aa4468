package dev.tidemark.activities.export;

import dev.tidemark.activities.connection.NamedSql;
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
   * @throws SchemaMismatchException if the query returns something else
   */
  static List<LeftOut> read(
      Connection connection, String sql, Map<String, String> values, int timeoutSeconds)
      throws SQLException, SchemaMismatchException {
    List<LeftOut> found = new ArrayList<>();
    try (PreparedStatement query = NamedSql.parse(sql).prepare(connection, values)) {
      query.setQueryTimeout(timeoutSeconds);
      query.setMaxRows(MOST);
      try (ResultSet rows = query.executeQuery()) {
        if (rows.getMetaData().getColumnCount() != 2) {
          throw new SchemaMismatchException(
              List.of(
                  "left-out must return two columns, a reason and a number of rows; it returns "
                      + rows.getMetaData().getColumnCount()));
        }
        while (rows.next()) {
          found.add(new LeftOut(String.valueOf(rows.getString(1)), rows.getLong(2)));
        }
      }
    }
    return found;
  }
}
