package dev.tidemark.activities.export;

import dev.tidemark.workflows.export.Column;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a query returns, compared with the pinned schema before it runs (B25, B30). */
final class QueryShape {
  private QueryShape() {}

  private record Found(String name, String type, boolean fits) {}

  /**
   * Compares.
   *
   * @return the types of the columns, as the driver names them
   * @throws SchemaMismatchException with every difference
   */
  static List<String> check(PreparedStatement query, List<Column> pinned)
      throws SQLException, SchemaMismatchException {
    SourceTypes types = SourceTypes.of(Source.of(query.getConnection()));
    List<Found> found = found(query.getMetaData(), pinned, types);
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < Math.max(pinned.size(), found.size()); i++) {
      Column wanted = i < pinned.size() ? pinned.get(i) : null;
      Found returned = i < found.size() ? found.get(i) : null;
      String difference = difference(wanted, returned, types);
      if (difference != null) {
        differences.add("column " + (i + 1) + " " + difference);
      }
    }
    if (!differences.isEmpty()) {
      throw new SchemaMismatchException(differences);
    }
    return found.stream().map(Found::type).toList();
  }

  private static List<Found> found(
      @Nullable ResultSetMetaData returned, List<Column> pinned, SourceTypes types)
      throws SQLException {
    List<Found> columns = new ArrayList<>();
    for (int i = 1; returned != null && i <= returned.getColumnCount(); i++) {
      boolean fits = i <= pinned.size() && types.fits(pinned.get(i - 1).type().kind(), returned, i);
      columns.add(new Found(returned.getColumnLabel(i), returned.getColumnTypeName(i), fits));
    }
    return columns;
  }

  private static @Nullable String difference(
      @Nullable Column pinned, @Nullable Found found, SourceTypes types) {
    if (pinned == null) {
      return "'" + (found == null ? "" : found.name()) + "' is not pinned";
    }
    if (found == null) {
      return "'" + pinned.name() + "' is missing";
    }
    if (!found.name().equals(pinned.name())) {
      return "is '" + found.name() + "', and '" + pinned.name() + "' is pinned";
    }
    return found.fits()
        ? null
        : "'%s' is %s, and %s is pinned (%s)"
            .formatted(
                pinned.name(),
                found.type(),
                pinned.type(),
                types.cast(pinned.name(), pinned.type(), found.type()));
  }
}
