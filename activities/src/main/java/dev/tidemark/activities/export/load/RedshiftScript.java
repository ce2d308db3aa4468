package dev.tidemark.activities.export.load;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.activities.publish.PublishedOutput;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.ColumnType.Kind;
import dev.tidemark.workflows.export.Dataset.Format;
import java.util.ArrayList;
import java.util.List;

/**
 * Redshift: the files are copied into a temporary table, by a manifest of their own that makes each
 * of them mandatory, and replace the partition from there in one transaction.
 */
final class RedshiftScript implements Dialect {
  static final String MANIFEST = "_load_redshift.manifest";

  /** The longest text that Redshift has. */
  private static final String LONGEST = "VARCHAR(65535)";

  @Override
  public String script(LoadJob job) {
    String table = job.table(3, Quoting::name);
    String where = job.where(Quoting::name, key -> key.literal(Quoting::escaped));
    StringBuilder script =
        new StringBuilder(job.header("Redshift", notes(job.dataset().format()), table, where));
    script.append("begin;\n\n");
    script.append(
        "create table if not exists %s (\n%s\n);\n\n"
            .formatted(
                table,
                job.lines(
                    column -> Quoting.name(column.name()) + " " + type(column.type()),
                    key -> Quoting.name(key.name()) + (key.isDate() ? " DATE" : " VARCHAR(256)"))));
    if (!job.files().isEmpty()) {
      script.append(copy(job));
    }
    script.append("delete from %s\nwhere %s;\n\n".formatted(table, where));
    if (!job.files().isEmpty()) {
      script.append(
          "insert into %s (\n%s\n)\nselect\n%s\nfrom tidemark_load;\n\ndrop table tidemark_load;\n\n"
              .formatted(
                  table,
                  job.names(Quoting::name),
                  job.lines(
                      column -> read(column, job.dataset().format()),
                      key -> key.literal(Quoting::escaped))));
    }
    return script.append("commit;\n").toString();
  }

  private static List<String> notes(Format format) {
    List<String> notes = new ArrayList<>();
    notes.add("Replace YOUR-ROLE, and s3://YOUR-BUCKET here and in " + MANIFEST + ".");
    if (format == Format.CSV) {
      notes.add("Redshift's CSV cannot tell a null text from an empty one: both come as empty.");
    }
    return notes;
  }

  private static String copy(LoadJob job) {
    Format format = job.dataset().format();
    return "create temporary table tidemark_load (\n%s\n);\n\ncopy tidemark_load\nfrom %s\niam_role 'YOUR-ROLE'\nmanifest\n%s;\n\n"
        .formatted(
            job.lines(column -> Quoting.name(column.name()) + " " + staged(column.type(), format)),
            Quoting.escaped(job.folder().inBucket("s3://", false) + MANIFEST),
            switch (format) {
              case PARQUET -> "format as parquet";
              case NDJSON -> "format as json 'auto ignorecase'\ntimeformat 'auto'";
              case CSV -> "format as csv\nignoreheader 1\ntimeformat 'auto'";
            });
  }

  /** The files, each mandatory: a copy that misses one fails. */
  static String manifest(LoadJob job) {
    ObjectNode manifest = JsonNodeFactory.instance.objectNode();
    ArrayNode entries = manifest.putArray("entries");
    String folder = job.folder().inBucket("s3://", false);
    for (PublishedOutput.File file : job.files()) {
      ObjectNode entry = entries.addObject();
      entry.put("url", folder + LoadJob.name(file)).put("mandatory", true);
      entry.putObject("meta").put("content_length", file.bytes());
    }
    return manifest.toString();
  }

  private static String staged(ColumnType type, Format format) {
    boolean isText =
        type.kind() == Kind.JSON || (type.kind() == Kind.BYTES && format != Format.PARQUET);
    return isText ? LONGEST : type(type);
  }

  private static String read(Column column, Format format) {
    String name = Quoting.name(column.name());
    if (column.type().kind() == Kind.JSON) {
      return "json_parse(" + name + ")";
    }
    return column.type().kind() == Kind.BYTES && format != Format.PARQUET
        ? "to_varbyte(" + name + ", 'base64')"
        : name;
  }

  private static String type(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> "BOOLEAN";
      case INT -> "INTEGER";
      case BIGINT -> "BIGINT";
      case DOUBLE -> "DOUBLE PRECISION";
      case DECIMAL -> "DECIMAL(" + type.precision() + ", " + type.scale() + ")";
      case STRING -> LONGEST;
      case DATE -> "DATE";
      case TIMESTAMP -> "TIMESTAMPTZ";
      case JSON -> "SUPER";
      case BYTES -> "VARBYTE(1024000)";
    };
  }
}
