package dev.tidemark.activities.export;

import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.ColumnType.Kind;
import java.sql.PreparedStatement;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a query returns, compared with the pinned schema before it runs (B25, B30). */
final class QueryShape {
  private QueryShape() {}

  private record Found(String name, String type) {}

  /**
   * Compares.
   *
   * @return the types of the columns, as the driver names them
   * @throws SchemaMismatchException with every difference
   */
  static List<String> check(PreparedStatement query, List<Column> pinned)
      throws SQLException, SchemaMismatchException {
    List<Found> found = found(query.getMetaData());
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < Math.max(pinned.size(), found.size()); i++) {
      Column wanted = i < pinned.size() ? pinned.get(i) : null;
      Found returned = i < found.size() ? found.get(i) : null;
      String difference = difference(wanted, returned);
      if (difference != null) {
        differences.add("column " + (i + 1) + " " + difference);
      }
    }
    if (!differences.isEmpty()) {
      throw new SchemaMismatchException(differences);
    }
    return found.stream().map(Found::type).toList();
  }

  private static List<Found> found(@Nullable ResultSetMetaData returned) throws SQLException {
    List<Found> columns = new ArrayList<>();
    for (int i = 1; returned != null && i <= returned.getColumnCount(); i++) {
      columns.add(new Found(returned.getColumnLabel(i), returned.getColumnTypeName(i)));
    }
    return columns;
  }

  private static @Nullable String difference(@Nullable Column pinned, @Nullable Found found) {
    if (pinned == null) {
      return "'" + (found == null ? "" : found.name()) + "' is not pinned";
    }
    if (found == null) {
      return "'" + pinned.name() + "' is missing";
    }
    if (!found.name().equals(pinned.name())) {
      return "is '" + found.name() + "', and '" + pinned.name() + "' is pinned";
    }
    return sources(pinned.type().kind()).contains(found.type())
        ? null
        : "'%s' is %s, and %s is pinned (%s)"
            .formatted(pinned.name(), found.type(), pinned.type(), cast(pinned, found));
  }

  private static String cast(Column pinned, Found found) {
    if (pinned.type().kind() == Kind.TIMESTAMP && found.type().equals("timestamp")) {
      return "say which zone it is in: " + pinned.name() + " at time zone 'UTC'";
    }
    return "cast it: " + pinned.name() + "::" + castTo(pinned.type());
  }

  /** The types of PostgreSQL of which every value is one of ours, or is checked one by one. */
  private static Set<String> sources(Kind kind) {
    return switch (kind) {
      case BOOLEAN -> Set.of("bool");
      case INT -> Set.of("int2", "int4", "serial");
      case BIGINT -> Set.of("int2", "int4", "int8", "serial", "bigserial");
      case DOUBLE -> Set.of("float4", "float8");
      case DECIMAL -> Set.of("numeric", "int2", "int4", "int8", "serial", "bigserial");
      case STRING -> Set.of("text", "varchar", "bpchar", "name", "uuid", "citext");
      case DATE -> Set.of("date");
      case TIMESTAMP -> Set.of("timestamptz");
      case JSON -> Set.of("json", "jsonb");
      case BYTES -> Set.of("bytea");
    };
  }

  private static String castTo(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> "boolean";
      case INT -> "integer";
      case BIGINT -> "bigint";
      case DOUBLE -> "double precision";
      case DECIMAL -> "numeric(" + type.precision() + "," + type.scale() + ")";
      case STRING -> "text";
      case DATE -> "date";
      case TIMESTAMP -> "timestamptz";
      case JSON -> "jsonb";
      case BYTES -> "bytea";
    };
  }
}
