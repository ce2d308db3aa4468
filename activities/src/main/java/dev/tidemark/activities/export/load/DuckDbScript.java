package dev.tidemark.activities.export.load;

import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.ColumnType.Kind;
import java.util.List;
import java.util.stream.Collectors;

/**
 * DuckDB: the partition's rows are replaced in one transaction. Its program goes on after a
 * statement that fails, and would commit the delete alone, unless it is told to bail.
 */
final class DuckDbScript implements Dialect {
  /** By itself DuckDB takes lines of two million bytes; its buffer is as large as by itself. */
  private static final String LINES = "max_line_size = 16000000, buffer_size = 32000000";

  @Override
  public String script(LoadJob job) {
    String table = job.table(3, Quoting::name);
    String where = job.where(Quoting::name, key -> key.literal(Quoting::text));
    StringBuilder script =
        new StringBuilder(
            job.header(
                "DuckDB",
                List.of("Run it in its folder: duckdb -bail YOUR.db < _load_duckdb.sql"),
                table,
                where));
    if (!job.schema(2).isEmpty()) {
      String schema = job.schema(2).stream().map(Quoting::name).collect(Collectors.joining("."));
      script.append("create schema if not exists ").append(schema).append(";\n\n");
    }
    script.append(
        "create table if not exists %s (\n%s\n);\n\n"
            .formatted(
                table,
                job.lines(
                    column -> Quoting.name(column.name()) + " " + type(column.type()),
                    key -> Quoting.name(key.name()) + (key.isDate() ? " DATE" : " VARCHAR"))));
    script.append("begin transaction;\n\ndelete from %s\nwhere %s;\n\n".formatted(table, where));
    if (!job.files().isEmpty()) {
      script.append(
          "insert into %s (\n%s\n)\nselect\n%s\nfrom %s;\n\n"
              .formatted(
                  table,
                  job.names(Quoting::name),
                  job.lines(column -> read(column, job), key -> key.literal(Quoting::text)),
                  source(job)));
    }
    return script.append("commit;\n").toString();
  }

  /** Text formats are read as texts, so that the cast is what the column says and no guess. */
  private static String read(Column column, LoadJob job) {
    String name = Quoting.name(column.name());
    return switch (job.dataset().format()) {
      case PARQUET -> column.type().kind() == Kind.JSON ? "cast(" + name + " as JSON)" : name;
      case CSV, NDJSON ->
          column.type().kind() == Kind.BYTES
              ? "from_base64(" + name + ")"
              : "cast(" + name + " as " + type(column.type()) + ")";
    };
  }

  private static String source(LoadJob job) {
    String files = "[" + job.files(Quoting::text) + "]";
    return switch (job.dataset().format()) {
      case PARQUET -> "read_parquet(" + files + ", hive_partitioning = false)";
      case CSV ->
          "read_csv(%s,\n  columns = {%s},\n  header = true, auto_detect = false, delim = ',', quote = '\"', escape = '\"',\n  nullstr = '', allow_quoted_nulls = false, strict_mode = true, hive_partitioning = false,\n  %s)"
              .formatted(files, columns(job, "VARCHAR"), LINES);
      case NDJSON ->
          "read_json(%s,\n  columns = {%s},\n  format = 'newline_delimited', hive_partitioning = false)"
              .formatted(files, columns(job, "JSON"));
    };
  }

  private static String columns(LoadJob job, String json) {
    return job.columns().stream()
        .map(
            column ->
                Quoting.text(column.name())
                    + ": "
                    + Quoting.text(column.type().kind() == Kind.JSON ? json : "VARCHAR"))
        .collect(Collectors.joining(", "));
  }

  private static String type(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> "BOOLEAN";
      case INT -> "INTEGER";
      case BIGINT -> "BIGINT";
      case DOUBLE -> "DOUBLE";
      case DECIMAL -> "DECIMAL(" + type.precision() + ", " + type.scale() + ")";
      case STRING -> "VARCHAR";
      case DATE -> "DATE";
      case TIMESTAMP -> "TIMESTAMPTZ";
      case JSON -> "JSON";
      case BYTES -> "BLOB";
    };
  }
}
