package dev.tidemark.activities.export.load;

import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.Dataset.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Trino: an external table of the hive connector over the files, whose partitions are found in the
 * folders. It reads the files where they are: a partition published again needs no load.
 */
final class TrinoScript implements Dialect {
  @Override
  public String script(LoadJob job) {
    Format format = job.dataset().format();
    String table = job.table(3, Quoting::name);
    String where = job.where(Quoting::name, key -> key.literal(Quoting::text));
    List<String> names = List.of(job.table().split("\\."));
    String catalog = names.size() == 3 ? names.get(0) : "hive";
    String schema = names.size() == 1 ? "default" : names.get(names.size() - 2);
    return job.header("Trino", notes(format), table, where)
        + "create table if not exists %s (\n%s\n)\nwith (\n  external_location = %s,\n  format = '%s',\n%s  partitioned_by = ARRAY[%s]\n);\n\n"
            .formatted(
                table,
                job.lines(
                    column -> column(column, format),
                    key -> Quoting.name(key.name()) + (key.isDate() ? " DATE" : " VARCHAR")),
                Quoting.text(job.folder().inBucket("s3://", true)),
                format(format),
                format == Format.CSV ? "  skip_header_line_count = 1,\n" : "",
                job.keys().stream()
                    .map(key -> Quoting.text(key.name()))
                    .collect(Collectors.joining(", ")))
        + "call %s.system.sync_partition_metadata(%s, %s, 'FULL');\n"
            .formatted(
                Quoting.name(catalog),
                Quoting.text(schema),
                Quoting.text(names.get(names.size() - 1)));
  }

  private static List<String> notes(Format format) {
    List<String> notes = new ArrayList<>();
    notes.add("Replace s3://YOUR-BUCKET where it stands, and hive by the name of your catalog.");
    notes.add("For microseconds set hive.timestamp-precision to MICROSECONDS.");
    if (format == Format.CSV) {
      notes.add("Trino's CSV has only texts, no nulls, and loses line breaks and backslashes in a");
      notes.add("value: prefer parquet or ndjson, or cast in a view.");
    }
    return notes;
  }

  private static String column(Column column, Format format) {
    return Quoting.name(column.name())
        + " "
        + (format == Format.CSV ? "VARCHAR" : type(column.type(), format));
  }

  private static String format(Format format) {
    return switch (format) {
      case PARQUET -> "PARQUET";
      case NDJSON -> "OPENX_JSON";
      case CSV -> "CSV";
    };
  }

  private static String type(ColumnType type, Format format) {
    return switch (type.kind()) {
      case BOOLEAN -> "BOOLEAN";
      case INT -> "INTEGER";
      case BIGINT -> "BIGINT";
      case DOUBLE -> "DOUBLE";
      case DECIMAL -> "DECIMAL(" + type.precision() + ", " + type.scale() + ")";
      case STRING, JSON -> "VARCHAR";
      case DATE -> "DATE";
      case TIMESTAMP -> "TIMESTAMP(6)";
      case BYTES -> format == Format.PARQUET ? "VARBINARY" : "VARCHAR";
    };
  }
}
