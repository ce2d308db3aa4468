package dev.tidemark.activities.export;

import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.ColumnType.Kind;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Locale;
import java.util.Set;

/**
 * Which columns of a query may be exported as which type: those of which every value is one of
 * ours, or is checked one by one.
 */
final class SourceTypes {
  private final boolean isPostgres;

  private SourceTypes(boolean isPostgres) {
    this.isPostgres = isPostgres;
  }

  static SourceTypes of(Source source) {
    return new SourceTypes(source == Source.POSTGRESQL);
  }

  /** Whether the column of the query holds values of this type. */
  boolean fits(Kind kind, ResultSetMetaData query, int at) throws SQLException {
    String name = query.getColumnTypeName(at);
    return isPostgres
        ? postgres(kind).contains(name)
        : jdbc(kind, query.getColumnType(at), name.toUpperCase(Locale.ROOT));
  }

  private static Set<String> postgres(Kind kind) {
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

  /** Drivers agree on the numbers of the standard's types, and on the names of two newer ones. */
  private static boolean jdbc(Kind kind, int type, String name) {
    if (name.equals("JSON") || name.equals("UUID")) {
      return kind == (name.equals("JSON") ? Kind.JSON : Kind.STRING);
    }
    return switch (type) {
      case Types.BOOLEAN, Types.BIT -> kind == Kind.BOOLEAN;
      case Types.TINYINT, Types.SMALLINT, Types.INTEGER ->
          !name.contains("UNSIGNED")
              && (kind == Kind.INT || kind == Kind.BIGINT || kind == Kind.DECIMAL);
      case Types.BIGINT ->
          !name.contains("UNSIGNED") && (kind == Kind.BIGINT || kind == Kind.DECIMAL);
      case Types.REAL, Types.FLOAT, Types.DOUBLE -> kind == Kind.DOUBLE;
      case Types.NUMERIC, Types.DECIMAL -> kind == Kind.DECIMAL;
      case Types.CHAR, Types.VARCHAR, Types.LONGVARCHAR, Types.CLOB -> kind == Kind.STRING;
      case Types.NCHAR, Types.NVARCHAR, Types.LONGNVARCHAR, Types.NCLOB -> kind == Kind.STRING;
      case Types.DATE -> kind == Kind.DATE;
      case Types.TIMESTAMP_WITH_TIMEZONE -> kind == Kind.TIMESTAMP;
      case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> kind == Kind.BYTES;
      default -> false;
    };
  }

  /** How to make it one that fits. */
  String cast(String column, ColumnType pinned, String found) {
    if (pinned.kind() == Kind.TIMESTAMP && found.toLowerCase(Locale.ROOT).equals("timestamp")) {
      return "say which zone it is in: " + column + " at time zone 'UTC'";
    }
    return isPostgres
        ? "cast it: " + column + "::" + postgresType(pinned)
        : "cast it: cast(" + column + " as " + standardType(pinned) + ")";
  }

  private static String postgresType(ColumnType type) {
    return switch (type.kind()) {
      case STRING -> "text";
      case TIMESTAMP -> "timestamptz";
      case JSON -> "jsonb";
      case BYTES -> "bytea";
      default -> standardType(type);
    };
  }

  private static String standardType(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> "boolean";
      case INT -> "integer";
      case BIGINT -> "bigint";
      case DOUBLE -> "double precision";
      case DECIMAL -> "numeric(" + type.precision() + "," + type.scale() + ")";
      case STRING -> "varchar";
      case DATE -> "date";
      case TIMESTAMP -> "timestamp with time zone";
      case JSON -> "json";
      case BYTES -> "varbinary";
    };
  }
}
