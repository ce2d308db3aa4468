package dev.tidemark.activities.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.export.Exporter.Exported;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.ColumnType.Kind;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Issue 6: what is exported, from a real PostgreSQL in a hostile time zone. */
class ExporterTest {
  private static final LedgerTestDatabase SHOP = LedgerTestDatabase.create();
  private static final List<Column> ID = List.of(new Column("id", ColumnType.of(Kind.BIGINT)));

  @TempDir Path folder;

  @BeforeAll
  static void makeShop() {
    SHOP.execute(Nasty.TABLE);
  }

  @AfterAll
  static void close() {
    SHOP.close();
  }

  private Exported run(TaskSpec.Export export, Path to) throws Exception {
    return new Exporter(SHOP.dataSource(), export).run(Map.of(), to, ending -> {});
  }

  private Exported run(String query, Column... columns) throws Exception {
    return run(Nasty.export(query, List.of(columns), Format.NDJSON, null), folder);
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    }
  }

  // B29, B39
  @Test
  void csvKeepsNullAndTheEmptyTextApart() throws Exception {
    run(
        Nasty.export(
            "select id, word, day, at, raw from nasty where id in (1, 2, 3) order by id",
            List.of(
                new Column("id", ColumnType.of(Kind.BIGINT)),
                new Column("word", ColumnType.of(Kind.STRING)),
                new Column("day", ColumnType.of(Kind.DATE)),
                new Column("at", ColumnType.of(Kind.TIMESTAMP)),
                new Column("raw", ColumnType.of(Kind.BYTES))),
            Format.CSV,
            null),
        folder);

    assertThat(folder.resolve("part-00000.csv"))
        .hasContent(
            """
            id,word,day,at,raw
            1,"",0001-01-01,0001-01-01T00:00:00.000000Z,AP8K
            2,,,,
            3,"line
            break,""quoted"",\r
            \\",9999-12-31,9999-12-31T23:59:59.999999Z,""
            """);
  }

  // B27, B28: JSON stays a value; what JSON's numbers cannot say is a text
  @Test
  void ndjsonIsAnObjectALine() throws Exception {
    run(Nasty.export(Format.NDJSON, null), folder);

    assertThat(Files.readAllLines(folder.resolve("part-00000.ndjson")))
        .contains(
            "{\"id\":1,\"flag\":true,\"small\":2147483647,\"ratio\":\"NaN\",\"large\":\"1234567890123456789012345678.0123456789\",\"amount\":\"10.10\",\"word\":\"\",\"day\":\"0001-01-01\",\"at\":\"0001-01-01T00:00:00.000000Z\",\"properties\":{\"a\": \"é\\n\\\"q\\\"\", \"b\": null},\"raw\":\"AP8K\"}",
            "{\"id\":2,\"flag\":null,\"small\":null,\"ratio\":null,\"large\":null,\"amount\":null,\"word\":null,\"day\":null,\"at\":null,\"properties\":null,\"raw\":null}");
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void theSameRowsAreTheSameBytes(Format format) throws Exception {
    Path again = Files.createDirectory(folder.resolve("again"));
    Path first = Files.createDirectory(folder.resolve("first"));
    Exported exported = run(Nasty.export(format, null), first);
    run(Nasty.export(format, null), again);

    // Four rows a file.
    assertThat(exported.parts().values()).containsExactly(4L, 2L);
    assertThat(files(first))
        .hasSize(2)
        .allSatisfy(
            file -> assertThat(again.resolve(file.getFileName())).hasSameBinaryContentAs(file));
  }

  // B18, c-J6: names in the order of the rows
  @Test
  void fifteenHundredFilesAreInTheOrderOfTheRows() throws Exception {
    TaskSpec.Export export =
        sized("select g::bigint as id from generate_series(1, 1500) g", new PartSize.Rows(1));

    Exported exported = run(export, folder);

    assertThat(exported.rows()).isEqualTo(1500);
    assertThat(exported.parts()).hasSize(1500).allSatisfy((name, rows) -> assertThat(rows).isOne());
    assertThat(Files.readString(files(folder).get(1499))).isEqualTo("{\"id\":1500}\n");
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void aFileEndsWithTheRowThatFillsIt(Format format) throws Exception {
    TaskSpec.Export rows =
        sized(
            "select g::bigint as id from generate_series(1, 20000) g", new PartSize.Bytes(50_000));
    TaskSpec.Export export =
        new TaskSpec.Export(
            "shop",
            rows.query(),
            new Dataset(format, ID, null),
            rows.parts(),
            null,
            rows.timeout());

    Exported exported = run(export, folder);

    assertThat(exported.rows()).isEqualTo(20_000);
    assertThat(exported.parts().size()).isGreaterThan(1);
    if (format != Format.PARQUET) {
      assertThat(files(folder).get(0))
          .satisfies(file -> assertThat(Files.size(file)).isBetween(50_000L, 50_020L));
    }
  }

  private static TaskSpec.Export sized(String query, PartSize size) {
    return new TaskSpec.Export(
        "shop", query, new Dataset(Format.NDJSON, ID, null), size, null, Duration.ofMinutes(1));
  }

  // c-J7: no rows are no files, and that is complete
  @Test
  void noRowsAreNoFiles() throws Exception {
    assertThat(run("select 1::bigint as id where false", ID.get(0)).parts()).isEmpty();
    assertThat(files(folder)).isEmpty();
  }

  // B25, B26, B30
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select 1::bigint as ident, 'x' as word | column 1 is 'ident', and 'id' is pinned",
        "select 'x'::text as word, 1::bigint as id | column 1 is 'word', and 'id' is pinned; column 2 is 'id'",
        "select 1::bigint as id | column 2 'word' is missing",
        "select 1::bigint as id, 'x'::text as word, 2 as more | column 3 'more' is not pinned",
        "select '1' as id, 'x'::text as word | column 1 'id' is text, and bigint is pinned (cast it: id::bigint)",
        "select 1::bigint as id, now() as word | column 2 'word' is timestamptz, and string is pinned",
        "create temporary table t (i int) | column 1 'id' is missing"
      })
  void otherColumnsThanThePinnedOnesAreRefusedBeforeAByte(String query, String difference)
      throws Exception {
    assertThatThrownBy(() -> run(query, ID.get(0), new Column("word", ColumnType.of(Kind.STRING))))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining(difference)
        .hasMessageContaining("Nothing was written");
    assertThat(files(folder)).isEmpty();
  }

  private static TaskSpec.Export leavingOut(String leftOut) {
    TaskSpec.Export export = Nasty.export("select 1::bigint as id", ID, Format.NDJSON, null);
    return new TaskSpec.Export(
        "shop", export.query(), export.dataset(), export.parts(), null, leftOut, export.timeout());
  }

  // B17: all reasons, or none
  @Test
  void asManyReasonsAsThereMayBeAreAllKept() throws Exception {
    Exported exported =
        run(leavingOut("select 'reason ' || g, g from generate_series(1, 100) g"), folder);

    assertThat(exported.leftOut()).hasSize(100).contains(new LeftOut("reason 100", 100));
  }

  // B17
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "select concat('reason ', g), g from generate_series(1, 101) g | returns more than 100 rows",
        "select 'no key', null::bigint | the number of 'no key' is null",
        "select 'no key' | it returns 1 columns"
      })
  void anAnswerThatSaysNotWhatIsLeftOutIsRefusedBeforeAByte(String leftOut, String why)
      throws Exception {
    assertThatThrownBy(() -> run(leavingOut(leftOut), folder))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageStartingWith("left-out must return a reason and a number of rows")
        .hasMessageContaining(why);
    assertThat(files(folder)).isEmpty();
  }

  // B29: a midnight somewhere is no date, and a wall time is no instant
  @ParameterizedTest
  @CsvSource({"timestamp, date", "timestamp, timestamp", "date, timestamp", "timestamptz, date"})
  void aTimeIsNotTakenForAnother(String found, String pinned) {
    assertThatThrownBy(
            () ->
                run(
                    "select '2026-01-01'::" + found + " as at",
                    new Column("at", ColumnType.parse(pinned))))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("'at' is " + found + ", and " + pinned + " is pinned");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "1.005::numeric | decimal(10,2) | 1.005",
        "123456789 | decimal(10,2) | 123456789",
        "'NaN'::numeric | decimal(10,2) | NaN",
        "'Infinity'::numeric | decimal(10,2) | Infinity",
        "'infinity'::timestamptz | timestamp | infinity",
        "'10000-01-01 00:00Z'::timestamptz | timestamp | 10000-01-01",
        "'0001-01-01 BC'::date | date | 0001-01-01 BC",
        "'-infinity'::date | date | -infinity"
      })
  void aValueThatDoesNotFitIsNamedWithItsRow(String value, String type, String shown) {
    assertThatThrownBy(
            () ->
                run(
                    "select * from (values (7::bigint, null), (8, " + value + ")) v (id, v)",
                    ID.get(0),
                    new Column("v", ColumnType.parse(type))))
        .isInstanceOf(MisfitException.class)
        .hasMessageContaining("column 'v' of the row with id 8 has " + shown)
        .hasMessageContaining("no " + type);
  }

  // The rows are of one instant, and that instant is said.
  @Test
  void allRowsAreOfOneSnapshot() throws Exception {
    SHOP.execute(
        "create table moving (id bigint); insert into moving select generate_series(1, 2000)");
    boolean[] changed = new boolean[1];

    Exported exported =
        new Exporter(
                SHOP.dataSource(), Nasty.export("select id from moving", ID, Format.NDJSON, null))
            .run(
                Map.of(),
                folder,
                ending -> {
                  if (!changed[0]) {
                    SHOP.execute("delete from moving");
                    changed[0] = true;
                  }
                });

    assertThat(exported.rows()).isEqualTo(2000);
    assertThat(exported.snapshotAt()).isNotNull();
  }
}
