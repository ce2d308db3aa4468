package dev.tidemark.activities.export.load;

import dev.tidemark.activities.export.load.LoadJob.Coordinate;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.ColumnType.Kind;
import dev.tidemark.workflows.export.Dataset.Format;
import java.util.ArrayList;
import java.util.List;

/**
 * BigQuery: the files are loaded into a temporary table, and replace the partition from there in
 * one transaction. To overwrite a partition of the table would take the other slices' rows along.
 */
final class BigQueryScript implements Dialect {
  /** Digits before and after the point that NUMERIC has; BIGNUMERIC has 38 of each. */
  private static final int NUMERIC_WHOLE = 29;

  private static final int NUMERIC_SCALE = 9;

  @Override
  public String script(LoadJob job) {
    String table = job.table(3, Quoting::backquoted);
    String where = job.where(Quoting::backquoted, key -> key.literal(Quoting::escaped));
    StringBuilder script =
        new StringBuilder(job.header("BigQuery", notes(job.dataset().format()), table, where));
    boolean hasDate = job.keys().stream().anyMatch(Coordinate::isDate);
    script.append(
        "create table if not exists %s (\n%s\n)%s;\n\n"
            .formatted(
                table,
                job.lines(
                    column -> Quoting.backquoted(column.name()) + " " + type(column.type()),
                    key -> Quoting.backquoted(key.name()) + (key.isDate() ? " DATE" : " STRING")),
                hasDate ? "\npartition by `dt`" : ""));
    if (!job.files().isEmpty()) {
      script.append(load(job));
    }
    script.append("begin transaction;\n\ndelete from %s\nwhere %s;\n\n".formatted(table, where));
    if (!job.files().isEmpty()) {
      script.append(
          "insert into %s (\n%s\n)\nselect\n%s\nfrom tidemark_load;\n\n"
              .formatted(
                  table,
                  job.names(Quoting::backquoted),
                  job.lines(
                      column -> read(column, job.dataset().format()),
                      key -> key.literal(Quoting::escaped))));
    }
    script.append("commit transaction;\n");
    return script.append(job.files().isEmpty() ? "" : "\ndrop table tidemark_load;\n").toString();
  }

  private static List<String> notes(Format format) {
    List<String> notes = new ArrayList<>();
    notes.add("Replace the gs:// addresses by those of the files: BigQuery reads Cloud Storage.");
    if (format == Format.CSV) {
      notes.add("BigQuery's CSV cannot tell a null text from an empty one: both come as empty.");
    }
    return notes;
  }

  private static String load(LoadJob job) {
    String folder = job.folder().inBucket("gs://", false);
    return "load data into temp table tidemark_load (\n%s\n)\nfrom files (\n  format = '%s',\n  uris = [\n    %s\n  ]%s\n);\n\n"
        .formatted(
            job.lines(
                column ->
                    Quoting.backquoted(column.name())
                        + " "
                        + loaded(column.type(), job.dataset().format())),
            format(job.dataset().format()),
            job.files(name -> Quoting.escaped(folder + name), ",\n    "),
            job.dataset().format() == Format.CSV
                ? ",\n  skip_leading_rows = 1,\n  allow_quoted_newlines = true"
                : "");
  }

  private static String format(Format format) {
    return switch (format) {
      case PARQUET -> "PARQUET";
      case NDJSON -> "NEWLINE_DELIMITED_JSON";
      case CSV -> "CSV";
    };
  }

  /** A JSON column is loaded as the text that it is in Parquet and CSV, and parsed then. */
  private static String loaded(ColumnType type, Format format) {
    return type.kind() == Kind.JSON && format != Format.NDJSON ? "STRING" : type(type);
  }

  private static String read(Column column, Format format) {
    String name = Quoting.backquoted(column.name());
    return column.type().kind() == Kind.JSON && format != Format.NDJSON
        ? "parse_json(" + name + ", wide_number_mode => 'round')"
        : name;
  }

  private static String type(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> "BOOL";
      case INT, BIGINT -> "INT64";
      case DOUBLE -> "FLOAT64";
      case DECIMAL ->
          (type.scale() <= NUMERIC_SCALE && type.precision() - type.scale() <= NUMERIC_WHOLE
                  ? "NUMERIC("
                  : "BIGNUMERIC(")
              + type.precision()
              + ", "
              + type.scale()
              + ")";
      case STRING -> "STRING";
      case DATE -> "DATE";
      case TIMESTAMP -> "TIMESTAMP";
      case JSON -> "JSON";
      case BYTES -> "BYTES";
    };
  }
}
