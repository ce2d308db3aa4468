package dev.tidemark.activities.export.load;

import dev.tidemark.activities.export.load.LoadJob.Coordinate;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.ColumnType.Kind;
import dev.tidemark.workflows.export.Dataset.Format;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Snowflake: the files are copied into a temporary table, and replace the partition from there in
 * one transaction. A failed statement does not end that transaction, so whoever runs the script has
 * to stop at it: its header says how.
 */
final class SnowflakeScript implements Dialect {
  /** COPY takes no more names than this. */
  private static final int MAX_FILES = 1_000;

  private static final String STAGE = "tidemark_load";

  @Override
  public String script(LoadJob job) {
    String table = job.table(3, SnowflakeScript::name);
    String where = job.where(SnowflakeScript::name, SnowflakeScript::value);
    StringBuilder script = new StringBuilder(job.header("Snowflake", notes(job), table, where));
    script.append(
        "create table if not exists %s (\n%s\n);\n\n"
            .formatted(
                table,
                job.lines(
                    column -> name(column.name()) + " " + type(column.type()),
                    key -> name(key.name()) + (key.isDate() ? " DATE" : " VARCHAR"))));
    String stage = stage(job);
    if (!job.files().isEmpty()) {
      script.append(copy(job, stage));
    }
    script.append("begin;\n\ndelete from %s\nwhere %s;\n\n".formatted(table, where));
    if (!job.files().isEmpty()) {
      script.append(
          "insert into %s (\n%s\n)\nselect\n%s\nfrom %s;\n\n"
              .formatted(
                  table,
                  job.names(SnowflakeScript::name),
                  job.lines(column -> name(column.name()), SnowflakeScript::value),
                  stage));
    }
    script.append("commit;\n");
    return script.append(job.files().isEmpty() ? "" : "\ndrop table " + stage + ";\n").toString();
  }

  private static List<String> notes(LoadJob job) {
    String path = job.folder().path();
    return List.of(
        "Replace EXPORT_STAGE by your stage of the location that has the folder "
            + path.substring(0, path.indexOf('/'))
            + ".",
        "Stop at the first error: snowsql -o exit_on_error=true -f _load_snowflake.sql",
        "Anywhere else, after an error: rollback. To go on would commit the delete alone.",
        "Look at what COPY returns: rows_loaded must be rows_parsed.");
  }

  /** Beside the table, since a session need not have a schema of its own. */
  private static String stage(LoadJob job) {
    return Stream.concat(job.schema(2).stream(), Stream.of(STAGE))
        .map(SnowflakeScript::name)
        .collect(Collectors.joining("."));
  }

  private static String copy(LoadJob job, String stage) {
    return "create or replace temporary table %s (\n%s\n);\n\ncopy into %s (\n%s\n)\nfrom (\nselect\n%s\nfrom %s\n)\n%s\nfile_format = (%s)\non_error = abort_statement;\n\n"
        .formatted(
            stage,
            job.lines(column -> name(column.name()) + " " + type(column.type())),
            stage,
            job.lines(column -> name(column.name())),
            job.lines(column -> read(column, job)),
            Quoting.escaped("@EXPORT_STAGE/" + job.folder().path() + "/"),
            selection(job),
            format(job.dataset().format()));
  }

  /** In capitals, as Snowflake reads a name that has no quotes. */
  private static String name(String name) {
    return Quoting.name(name.toUpperCase(Locale.ROOT));
  }

  private static String value(Coordinate key) {
    return Quoting.escaped(key.value()) + (key.isDate() ? "::DATE" : "");
  }

  private static String selection(LoadJob job) {
    return job.files().size() <= MAX_FILES
        ? "files = (" + job.files(Quoting::escaped) + ")"
        : "pattern = '.*/part-[0-9]+-" + job.output().token() + "[.].*'";
  }

  private static String format(Format format) {
    return switch (format) {
      case PARQUET -> "type = parquet, binary_as_text = false, use_logical_type = true";
      case NDJSON -> "type = json";
      case CSV ->
          "type = csv, skip_header = 1, field_optionally_enclosed_by = '\"', empty_field_as_null = true, null_if = (), encoding = 'UTF8'";
    };
  }

  private static String read(Column column, LoadJob job) {
    Format format = job.dataset().format();
    String found =
        format == Format.CSV
            ? "$" + (job.columns().indexOf(column) + 1)
            : "$1:" + Quoting.name(column.name());
    Kind kind = column.type().kind();
    if (kind == Kind.JSON) {
      return format == Format.NDJSON ? found : "parse_json(" + found + "::VARCHAR)";
    }
    return kind == Kind.BYTES && format != Format.PARQUET
        ? "to_binary(" + found + "::VARCHAR, 'BASE64')"
        : found + "::" + type(column.type());
  }

  private static String type(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> "BOOLEAN";
      case INT, BIGINT -> "NUMBER(38, 0)";
      case DOUBLE -> "DOUBLE";
      case DECIMAL -> "NUMBER(" + type.precision() + ", " + type.scale() + ")";
      case STRING -> "VARCHAR";
      case DATE -> "DATE";
      case TIMESTAMP -> "TIMESTAMP_TZ(6)";
      case JSON -> "VARIANT";
      case BYTES -> "BINARY";
    };
  }
}
