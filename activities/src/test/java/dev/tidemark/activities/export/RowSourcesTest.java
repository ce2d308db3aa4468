package dev.tidemark.activities.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Issue 6: rows by a binary copy are those that a cursor has, value by value. */
class RowSourcesTest {
  private static final LedgerTestDatabase SHOP = LedgerTestDatabase.create();

  @TempDir Path folder;

  @BeforeAll
  static void makeShop() {
    SHOP.execute(Nasty.TABLE);
  }

  @AfterAll
  static void close() {
    SHOP.close();
  }

  private Path run(DataSource database, TaskSpec.Export export, Map<String, String> values)
      throws Exception {
    Path to = Files.createTempDirectory(folder, "run");
    new Exporter(database, export).run(values, to, ending -> {});
    return to;
  }

  private static TaskSpec.Export export(Format format, String query, String... columns) {
    List<Column> pinned = new ArrayList<>();
    for (String column : columns) {
      int space = column.indexOf(' ');
      pinned.add(
          new Column(column.substring(0, space), ColumnType.parse(column.substring(space + 1))));
    }
    TaskSpec.Export export = Nasty.export(query, pinned, format, null);
    return new TaskSpec.Export(
        export.connection(),
        query,
        export.dataset(),
        new PartSize.Rows(1_000_000),
        null,
        Duration.ofMinutes(1));
  }

  private List<String> csv(TaskSpec.Export export, Map<String, String> values) throws Exception {
    return Files.readAllLines(run(SHOP.dataSource(), export, values).resolve("part-00000.csv"));
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void aCopyIsWhatACursorIs(Format format) throws Exception {
    TaskSpec.Export export =
        export(
            format,
            """
            select nasty.*, 7::smallint as tiny, (id % 1000)::integer as whole, 0.1::real as real,
              'NaN'::real as none, 'a b  '::char(6) as padded, 'n'::name as name,
              'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'::uuid as code,
              e'{"k" :\\n 1.50}'::json as spaced
            from nasty order by id -- the last line may be a comment
            """,
            "id bigint",
            "flag boolean",
            "small int",
            "ratio double",
            "large decimal(38,10)",
            "amount decimal(10,2)",
            "word string",
            "day date",
            "at timestamp",
            "properties json",
            "raw bytes",
            "tiny decimal(15,2)",
            "whole bigint",
            "real double",
            "none double",
            "padded string",
            "name string",
            "code string",
            "spaced json");
    String name = "part-00000." + format.name().toLowerCase(Locale.ROOT);

    Path copied = run(SHOP.dataSource(), export, Map.of()).resolve(name);
    Path fetched = run(WithoutCopy.of(SHOP.dataSource()), export, Map.of()).resolve(name);

    assertThat(copied).isNotEmptyFile().hasSameBinaryContentAs(fetched);
  }

  // B29, B39: each number and time beside the text that PostgreSQL makes of it
  @Test
  void numbersAndTimesAreWhatPostgresSaysTheyAre() throws Exception {
    List<String> lines =
        csv(
            export(
                Format.CSV,
                """
                select v::numeric(18,4) as small, v::numeric(18,4)::text as small_text,
                  (v * 1e15)::numeric(38,9) as large, (v * 1e15)::numeric(38,9)::text as large_text,
                  trunc(v)::numeric as whole, trunc(v)::bigint::text as whole_text,
                  date '0001-01-01' + n::integer as day, (date '0001-01-01' + n::integer)::text as day_text,
                  at, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at_text
                from (
                  select n, (case n % 2 when 0 then 1 else -1 end)
                      * (n * 7919 % 100003)::numeric * power(10::numeric, n % 19 - 9) as v,
                    timestamptz '0001-01-01 00:00:00Z' + n * interval '23:07:11.000977' as at
                  from (select g::bigint * 1217 as n from generate_series(0, 2999) g) numbers
                ) made
                """,
                "small decimal(18,4)",
                "small_text string",
                "large decimal(38,9)",
                "large_text string",
                "whole decimal(18,0)",
                "whole_text string",
                "day date",
                "day_text string",
                "at timestamp",
                "at_text string"),
            Map.of());

    assertThat(lines).hasSize(3001);
    assertThat(lines.subList(1, lines.size()))
        .allSatisfy(
            line -> {
              String[] values = line.split(",", -1);
              for (int i = 0; i < values.length; i += 2) {
                assertThat(values[i]).isEqualTo(values[i + 1]);
              }
            });
  }

  // A copy takes no parameters: nothing in a value gets out of its quotes.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "it's",
        "'; drop table nasty; --",
        "\\' or true --",
        "*/ --",
        "$$ ? :slice_b",
        "\u00e9\ud83c\udf89\n\t",
        ""
      })
  void aValueStaysAValue(String value) throws Exception {
    for (String strings : List.of("on", "off")) {
      SHOP.execute("alter database " + name() + " set standard_conforming_strings = " + strings);
      try {
        List<String> lines =
            csv(
                export(
                    Format.CSV,
                    "select length(:slice_a)::bigint as n, md5(:slice_a) as h, '{}'::jsonb ? 'k' as k;"
                        + " -- :slice_a",
                    "n bigint",
                    "h string",
                    "k boolean"),
                Map.of("slice_a", value));

        assertThat(lines.get(1))
            .isEqualTo(value.codePointCount(0, value.length()) + "," + md5(value) + ",false");
      } finally {
        SHOP.execute("alter database " + name() + " reset standard_conforming_strings");
      }
    }
  }

  private static String name() {
    String url = SHOP.jdbcUrl();
    return url.substring(url.lastIndexOf('/') + 1).replaceFirst("\\?.*", "");
  }

  private static String md5(String text) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select 1::bigint as id) to stdout -- | syntax error",
        "select 1::bigint as id where 'x' = /* a /* b */ :slice_a */ 'x' | column index",
        "select 1::bigint as id; delete from nasty | syntax error"
      })
  void aQueryThatIsMoreThanOneIsRefused(String query, String words) {
    assertThatThrownBy(
            () ->
                run(
                    SHOP.dataSource(),
                    export(Format.CSV, query, "id bigint"),
                    Map.of("slice_a", "x")))
        .isInstanceOf(SQLException.class)
        .hasMessageContaining(words);
  }

  @Test
  void aRowThatIsTooLargeIsNamed() {
    assertThatThrownBy(
            () ->
                run(
                    SHOP.dataSource(),
                    export(
                        Format.CSV,
                        "select 7::bigint as id, repeat('x', 40000000) as a, repeat('y', 30000000) as b",
                        "id bigint",
                        "a string",
                        "b string"),
                    Map.of()))
        .isInstanceOf(MisfitException.class)
        .hasMessageContaining("column 'b' of the row with id 7 has 30000000 bytes")
        .hasMessageContaining("at most 67108864 bytes");
  }

  // The rows that nobody wants any more are not waited for, and the connection is whole again.
  @Test
  void anEndInTheMiddleLeavesTheConnectionUsable() throws Exception {
    String endless = "select generate_series(1, 10000000000) as id, 'NaN'::numeric as n";
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(
              () ->
                  run(
                      SHOP.dataSource(),
                      export(Format.CSV, endless, "id bigint", "n decimal(5,2)"),
                      Map.of()))
          .isInstanceOf(MisfitException.class);
    }

    assertThat(csv(export(Format.CSV, "select 1::bigint as id", "id bigint"), Map.of()))
        .containsExactly("id", "1");
  }
}
