package dev.tidemark.activities.export.load;

import dev.tidemark.activities.export.load.LoadJob.Coordinate;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.ColumnType.Kind;
import dev.tidemark.workflows.export.Dataset.Format;
import java.util.List;
import java.util.Locale;

/**
 * Snowflake: the partition is deleted and copied in one transaction. FORCE, since Snowflake skips
 * files that it has loaded before, and would leave the partition empty.
 */
final class SnowflakeScript implements Dialect {
  /** COPY takes no more names than this. */
  private static final int MAX_FILES = 1_000;

  @Override
  public String script(LoadJob job) {
    String table = job.table(3, SnowflakeScript::name);
    String where = job.where(SnowflakeScript::name, SnowflakeScript::value);
    StringBuilder script =
        new StringBuilder(
            job.header(
                "Snowflake",
                List.of(
                    "Replace EXPORT_STAGE by your stage of the location that has the folder "
                        + job.folder().path().substring(0, job.folder().path().indexOf('/'))
                        + ".",
                    "Look at what COPY returns: rows_loaded must be rows_parsed."),
                table,
                where));
    script.append(
        "create table if not exists %s (\n%s\n);\n\n"
            .formatted(
                table,
                job.lines(
                    column -> name(column.name()) + " " + type(column.type()),
                    key -> name(key.name()) + (key.isDate() ? " DATE" : " VARCHAR"))));
    script.append("begin;\n\ndelete from %s\nwhere %s;\n\n".formatted(table, where));
    if (!job.files().isEmpty()) {
      script.append(
          "copy into %s (\n%s\n)\nfrom (\nselect\n%s\nfrom %s\n)\n%s\nfile_format = (%s)\non_error = abort_statement\nforce = true;\n\n"
              .formatted(
                  table,
                  job.names(SnowflakeScript::name),
                  job.lines(column -> read(column, job), SnowflakeScript::value),
                  Quoting.escaped("@EXPORT_STAGE/" + job.folder().path() + "/"),
                  selection(job),
                  format(job.dataset().format())));
    }
    return script.append("commit;\n").toString();
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
