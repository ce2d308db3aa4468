package dev.tidemark.activities.export.load;

import dev.tidemark.activities.export.load.LoadJob.Coordinate;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.ColumnType.Kind;
import dev.tidemark.workflows.export.Dataset.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * PostgreSQL, by psql: the files are copied from the client into a temporary table of texts, and
 * cast from there to the columns' types in one transaction. PostgreSQL reads no Parquet; DuckDB,
 * which does, hands those rows over as CSV.
 */
final class PostgresScript implements Dialect {
  private static final String STAGE = "pg_temp.tidemark_load";
  private static final String CSV = "with (format csv, header %s, encoding 'UTF8')";

  /** The control characters cannot be in a line of JSON, so that it stays one value as it is. */
  private static final String LINES =
      "with (format csv, quote e'\\x01', delimiter e'\\x02', encoding 'UTF8')";

  @Override
  public String script(LoadJob job) {
    String table = job.table(2, Quoting::name);
    String where = job.where(Quoting::name, PostgresScript::value);
    StringBuilder script = new StringBuilder(job.header("PostgreSQL", notes(job), table, where));
    script.append("\\set ON_ERROR_STOP on\n\nbegin;\n\n");
    job.schema(1).forEach(schema -> script.append(schema(schema)));
    script.append(
        "create table if not exists %s (\n%s\n);\n\n"
            .formatted(
                table,
                job.lines(
                    column -> Quoting.name(column.name()) + " " + type(column.type()),
                    key -> Quoting.name(key.name()) + (key.isDate() ? " date" : " text"))));
    script.append(
        "create temporary table tidemark_load (\n%s\n) on commit drop;\n\n"
            .formatted(
                isLines(job)
                    ? "  line json"
                    : job.lines(column -> Quoting.name(column.name()) + " text")));
    job.files().forEach(file -> script.append(copy(job, LoadJob.name(file))).append('\n'));
    script.append("\ndelete from %s\nwhere %s;\n\n".formatted(table, where));
    script.append(
        "insert into %s (\n%s\n)\nselect\n%s\nfrom %s;\n\ncommit;\n"
            .formatted(
                table,
                job.names(Quoting::name),
                job.lines(column -> read(column, isLines(job)), PostgresScript::value),
                STAGE));
    return script.toString();
  }

  private static boolean isLines(LoadJob job) {
    return job.dataset().format() == Format.NDJSON;
  }

  private static List<String> notes(LoadJob job) {
    List<String> notes = new ArrayList<>();
    notes.add("Run it in its folder: psql YOUR-DATABASE -f _load_postgres.sql");
    if (job.dataset().format() == Format.PARQUET) {
      notes.add("PostgreSQL reads no Parquet: the program duckdb does, and must be on the PATH.");
    }
    return notes;
  }

  /** Who may not create schemas may still load into one that is there. */
  private static String schema(String name) {
    return """
        do $$ begin
          if to_regnamespace(%s) is null then
            create schema %s;
          end if;
        end $$;

        """
        .formatted(Quoting.text(Quoting.name(name)), Quoting.name(name));
  }

  private static String copy(LoadJob job, String file) {
    return switch (job.dataset().format()) {
      case CSV -> "\\copy " + STAGE + " from '" + file + "' " + CSV.formatted("true");
      case NDJSON -> "\\copy " + STAGE + " from '" + file + "' " + LINES;
      case PARQUET ->
          "\\copy %s from program 'duckdb -c ''set TimeZone = $$UTC$$; copy (select %s from read_parquet($$%s$$)) to $$/dev/stdout$$ (format csv, header false)''' %s"
              .formatted(STAGE, parquetColumns(job), file, CSV.formatted("false"));
    };
  }

  private static String parquetColumns(LoadJob job) {
    return job.columns().stream()
        .map(
            column -> {
              String name = Quoting.name(column.name());
              return column.type().kind() == Kind.BYTES ? "to_base64(" + name + ")" : name;
            })
        .collect(Collectors.joining(", "));
  }

  private static String value(Coordinate key) {
    return (key.isDate() ? "date " : "") + Quoting.text(key.value());
  }

  private static String read(Column column, boolean lines) {
    String name = Quoting.name(column.name());
    String text = lines ? "(line ->> " + Quoting.text(column.name()) + ")" : name;
    return switch (column.type().kind()) {
      // As a value and not as a text; a null of JSON is no value.
      case JSON ->
          lines
              ? "nullif((line -> " + Quoting.text(column.name()) + ")::jsonb, 'null')"
              : text + "::jsonb";
      case BYTES -> "decode(" + text + ", 'base64')";
      case STRING -> text;
      default -> text + "::" + type(column.type());
    };
  }

  private static String type(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> "boolean";
      case INT -> "integer";
      case BIGINT -> "bigint";
      case DOUBLE -> "double precision";
      case DECIMAL -> "numeric(" + type.precision() + ", " + type.scale() + ")";
      case STRING -> "text";
      case DATE -> "date";
      case TIMESTAMP -> "timestamptz";
      case JSON -> "jsonb";
      case BYTES -> "bytea";
    };
  }
}
