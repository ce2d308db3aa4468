package dev.tidemark.activities.export;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Issue 6: row groups are bounded by their bytes, whatever the sizes of the rows. */
class ParquetFileTest {
  private static final LedgerTestDatabase SHOP = LedgerTestDatabase.create();

  @TempDir Path folder;

  @AfterAll
  static void close() {
    SHOP.close();
  }

  /** Small rows, then large ones that do not get smaller by compression. */
  @Test
  void rowGroupsAreBoundedAndLargeValuesKeepTheirBytes() throws Exception {
    SHOP.execute(
        """
        create table mixed as
        select g::bigint as id, (select string_agg(md5((g * 100000 + n)::text), '')
            from generate_series(1, case when g <= 5000 then 3 else 300000 end) n) as word
        from generate_series(1, 5003) g
        """);
    TaskSpec.Export export =
        new TaskSpec.Export(
            "shop",
            "select id, word from mixed order by id",
            new Dataset(
                Format.PARQUET,
                List.of(
                    new Column("id", ColumnType.parse("bigint")),
                    new Column("word", ColumnType.parse("string"))),
                null),
            PartSize.DEFAULT,
            null,
            Duration.ofMinutes(1));

    new Exporter(SHOP.dataSource(), export).run(Map.of(), folder, ending -> {});

    String file = "'" + folder.resolve("part-00000.parquet") + "'";
    assertThat(duckDb("select count(*) || ' ' || sum(length(word)) from " + file))
        .containsExactly("5003 " + (5000L * 3 * 32 + 3L * 300_000 * 32));
    assertThat(duckDb("select md5(word) from " + file + " where id = 5003"))
        .isEqualTo(List.of(shop("select md5(word) from mixed where id = 5003")));
    // 16 MiB, and what one row has beyond.
    assertThat(
            duckDb(
                "select max(total_uncompressed_size) < 27000000 from parquet_metadata("
                    + file
                    + ")"))
        .containsExactly("true");
    assertThat(
            duckDb(
                "select stats_min_value is not null from parquet_metadata("
                    + file
                    + ") where path_in_schema = 'id'"))
        .hasSizeGreaterThan(1)
        .containsOnly("true");
  }

  private static String shop(String query) throws SQLException {
    try (Connection connection = SHOP.dataSource().getConnection()) {
      return texts(connection, query).get(0);
    }
  }

  private static List<String> duckDb(String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      return texts(connection, query);
    }
  }

  private static List<String> texts(Connection connection, String query) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }
}
