package dev.tidemark.activities.export.load;

import dev.tidemark.activities.export.load.LoadJob.Coordinate;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.Dataset.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Athena: an external table over the files, to which the partition is added. It reads the files
 * where they are, so that a partition published again is seen without a load. Statements about
 * tables are Hive's, where a backslash begins an escape; queries are Trino's, where it does not.
 */
final class AthenaScript implements Dialect {
  @Override
  public String script(LoadJob job) {
    String table = job.table(2, Quoting::backquoted);
    String where = job.where(Quoting::name, key -> key.literal(Quoting::text));
    String partition =
        job.keys().stream()
            .map(key -> Quoting.backquoted(key.name()) + " = " + Quoting.escaped(key.value()))
            .collect(Collectors.joining(", "));
    String folder = Quoting.escaped(job.folder().inBucket("s3://", false));
    return job.header("Athena", notes(job.dataset().format()), job.table(2, Quoting::name), where)
        + "create external table if not exists %s (\n%s\n)\npartitioned by (%s)\n%s\nlocation %s%s;\n\n"
            .formatted(
                table,
                job.columns().stream()
                    .map(column -> column(column, job.dataset().format()))
                    .collect(Collectors.joining(",\n  ", "  ", "")),
                job.keys().stream().map(AthenaScript::key).collect(Collectors.joining(", ")),
                format(job.dataset().format()),
                Quoting.escaped(job.folder().inBucket("s3://", true)),
                properties(job.dataset().format()))
        + "alter table %s drop if exists partition (%s);\n\n".formatted(table, partition)
        + "alter table %s add if not exists partition (%s)\nlocation %s;\n"
            .formatted(table, partition, folder);
  }

  private static List<String> notes(Format format) {
    List<String> notes = new ArrayList<>();
    notes.add("Replace s3://YOUR-BUCKET where it stands. Athena runs one statement at a time.");
    if (format == Format.CSV) {
      notes.add(
          "Athena's CSV has only texts, no nulls, and loses line breaks and backslashes in a");
      notes.add("value: prefer parquet or ndjson, or cast in a view.");
    }
    return notes;
  }

  private static String column(Column column, Format format) {
    return Quoting.backquoted(column.name())
        + " "
        + (format == Format.CSV ? "string" : type(column.type(), format));
  }

  private static String key(Coordinate key) {
    return Quoting.backquoted(key.name()) + (key.isDate() ? " date" : " string");
  }

  private static String format(Format format) {
    return switch (format) {
      case PARQUET -> "stored as parquet";
      case NDJSON -> "row format serde 'org.openx.data.jsonserde.JsonSerDe'";
      case CSV ->
          "row format serde 'org.apache.hadoop.hive.serde2.OpenCSVSerde'\nwith serdeproperties ('separatorChar' = ',', 'quoteChar' = '\"', 'escapeChar' = '\\\\')\nstored as textfile";
    };
  }

  private static String properties(Format format) {
    return format == Format.CSV ? "\ntblproperties ('skip.header.line.count' = '1')" : "";
  }

  private static String type(ColumnType type, Format format) {
    return switch (type.kind()) {
      case BOOLEAN -> "boolean";
      case INT -> "int";
      case BIGINT -> "bigint";
      case DOUBLE -> "double";
      case DECIMAL -> "decimal(" + type.precision() + ", " + type.scale() + ")";
      case STRING, JSON -> "string";
      case DATE -> "date";
      case TIMESTAMP -> "timestamp";
      case BYTES -> format == Format.PARQUET ? "binary" : "string";
    };
  }
}
