package dev.tidemark.worker.benchmark;

import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;

/** A table such as people export: a key, times, a text, an exact number, JSON, some nulls. */
final class ExportRows {
  /** On one line, as psql's {@code \copy} wants it. */
  static final String QUERY =
      "select id, occurred_at, customer, amount, quantity, day, properties"
          + " from public.exported_rows order by id";

  private static final List<Column> COLUMNS =
      List.of(
          new Column("id", ColumnType.parse("bigint")),
          new Column("occurred_at", ColumnType.parse("timestamp")),
          new Column("customer", ColumnType.parse("string")),
          new Column("amount", ColumnType.parse("decimal(18,4)")),
          new Column("quantity", ColumnType.parse("int")),
          new Column("day", ColumnType.parse("date")),
          new Column("properties", ColumnType.parse("json")));

  private static final String TABLE =
      """
      create table public.exported_rows (id bigint primary key, occurred_at timestamptz,
        customer text, amount numeric(18,4), quantity integer, day date, properties jsonb);
      """;

  private static final String ROWS =
      """
      select g::bigint as id,
        timestamptz '2026-09-05 00:00:00Z' + g * interval '86.4 milliseconds' as occurred_at,
        'customer ' || g %% 5000 as customer,
        (g::bigint * 7919 %% 100000000)::numeric / 10000 as amount,
        case when g %% 20 = 0 then null else g %% 100 end as quantity,
        date '2026-09-05' - g %% 30 as day,
        jsonb_build_object('page', '/product/' || g %% 1000, 'agent', 'Mozilla/5.0', 'ms', g %% 977)
          as properties
      from generate_series(1, %d) g
      """;

  private ExportRows() {}

  static void make(DataSource database, int rows) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(TABLE);
      statement.execute("insert into public.exported_rows " + ROWS.formatted(rows));
      statement.execute("vacuum analyze public.exported_rows");
    }
  }

  /** The table's export, in one file. */
  static TaskSpec.Export export(Format format) {
    return export(QUERY, format, PartSize.MAX_ROWS);
  }

  /** The same without a table, which need not fit on the disk; a million rows a file. */
  static TaskSpec.Export generated(Format format, int rows) {
    return export(ROWS.formatted(rows), format, 1_000_000);
  }

  private static TaskSpec.Export export(String query, Format format, int partRows) {
    return new TaskSpec.Export(
        "shop",
        query,
        new Dataset(format, COLUMNS, null),
        new PartSize.Rows(partRows),
        null,
        Duration.ofHours(1));
  }
}
