package dev.tidemark.activities.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tidemark.activities.connection.NamedSql;
import dev.tidemark.activities.export.Exporter.Exported;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.ColumnType.Kind;
import dev.tidemark.workflows.export.Dataset.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Exports from databases that are not PostgreSQL, through nothing but their JDBC drivers. */
class JdbcSourceTest {
  private static final List<Column> COLUMNS =
      Nasty.COLUMNS.stream().filter(column -> !column.name().equals("large")).toList();

  private static final List<Column> ID = List.of(new Column("id", ColumnType.of(Kind.BIGINT)));

  private static final Map<String, String> DAY =
      Map.of(
          "start", time("2026-09-04T21:00:00Z"),
          "end", time("2026-09-05T21:00:00Z"));

  @TempDir Path folder;

  private static String time(String instant) {
    return NamedSql.time(Instant.parse(instant), ZoneId.of("Europe/Istanbul"));
  }

  enum Database {
    DUCKDB(
        "jdbc:duckdb:",
        "double",
        "blob",
        "cast('%s' as json)",
        "'\\x00\\xFF\\x0A'::blob",
        "select current_setting('TimeZone')"),
    H2(
        "jdbc:h2:",
        "double precision",
        "varbinary(100)",
        "json '%s'",
        "x'00ff0a'",
        "select setting_value from information_schema.settings where setting_name = 'TIME ZONE'");

    private final String url;
    private final String real;
    private final String bytes;
    private final String json;
    private final String raw;
    private final String zone;

    Database(String url, String real, String bytes, String json, String raw, String zone) {
      this.url = url;
      this.real = real;
      this.bytes = bytes;
      this.json = json;
      this.raw = raw;
      this.zone = zone;
    }

    /** Both fold or keep names that have no quotes, each in its own way. */
    private String table() {
      return """
      create table "nasty" ("id" bigint, "flag" boolean, "small" integer, "ratio" REAL,
        "amount" decimal(10, 2), "word" varchar, "day" date, "at" timestamp with time zone,
        "properties" json, "raw" BYTES);
      insert into "nasty" values
        (1, true, 2147483647, 0.1, 10.10, '', date '0001-01-01',
         timestamp with time zone '2026-09-04 21:00:00+00', JSON, RAW);
      insert into "nasty" ("id", "at") values
        (2, timestamp with time zone '2026-09-05 20:59:59.999999+00');
      insert into "nasty" values
        (3, false, -5, -2.5, -99999999.99, 'it''s "é" 😀', date '9999-12-31',
         timestamp with time zone '2026-09-05 10:00:00.123456+00', JSON, RAW);
      insert into "nasty" ("id", "at") values
        (4, timestamp with time zone '2026-09-05 21:00:00+00'),
        (5, timestamp with time zone '2026-09-04 20:59:59.999999+00');
      """
          .replace("REAL", real)
          .replace("BYTES", bytes)
          .replace("JSON", json.formatted("{\"a\":[1,null]}"))
          .replace("RAW", raw);
    }

    HikariDataSource open(Path folder) throws SQLException {
      HikariConfig config = new HikariConfig();
      config.setJdbcUrl(url + folder.resolve(name()));
      config.setMaximumPoolSize(1);
      HikariDataSource database = new HikariDataSource(config);
      try (Connection connection = database.getConnection();
          Statement statement = connection.createStatement()) {
        for (String sql : table().split(";\n", -1)) {
          if (!sql.isBlank()) {
            statement.execute(sql);
          }
        }
      }
      return database;
    }
  }

  private Exported run(Database kind, String query, List<Column> columns, Path to)
      throws Exception {
    try (HikariDataSource database = kind.open(folder)) {
      return new Exporter(database, Nasty.export(query, columns, Format.NDJSON, null))
          .run(DAY, to, ending -> {});
    }
  }

  private Path out() throws IOException {
    return Files.createDirectory(folder.resolve("out"));
  }

  // The connection goes back to its pool as it came.
  @ParameterizedTest
  @EnumSource
  void theSessionHasItsOwnZoneAgainAfterwards(Database kind) throws Exception {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));
    try (HikariDataSource database = kind.open(folder)) {
      String zone = zone(kind, database);

      new Exporter(database, Nasty.export("select \"id\" from \"nasty\"", ID, Format.NDJSON, null))
          .run(DAY, out(), ending -> {});

      assertThat(zone(kind, database)).isEqualTo(zone);
    } finally {
      TimeZone.setDefault(before);
    }
  }

  private static String zone(Database kind, HikariDataSource database) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet zone = statement.executeQuery(kind.zone)) {
      zone.next();
      return zone.getString(1);
    }
  }

  // B25, B29, B39
  @ParameterizedTest
  @EnumSource
  void aWindowIsExportedAsItIs(Database database) throws Exception {
    Path out = out();

    Exported exported =
        run(
            database,
            "select * from \"nasty\" where \"at\" >= :start and \"at\" < :end order by \"id\"",
            COLUMNS,
            out);

    assertThat(exported.rows()).isEqualTo(3);
    assertThat(exported.snapshotAt()).isAfter(Instant.parse("2020-01-01T00:00:00Z"));
    assertThat(out.resolve("part-00000.ndjson"))
        .hasContent(
            """
            {"id":1,"flag":true,"small":2147483647,"ratio":0.1,"amount":"10.10","word":"","day":"0001-01-01","at":"2026-09-04T21:00:00.000000Z","properties":{"a":[1,null]},"raw":"AP8K"}
            {"id":2,"flag":null,"small":null,"ratio":null,"amount":null,"word":null,"day":null,"at":"2026-09-05T20:59:59.999999Z","properties":null,"raw":null}
            {"id":3,"flag":false,"small":-5,"ratio":-2.5,"amount":"-99999999.99","word":"it's \\"é\\" 😀","day":"9999-12-31","at":"2026-09-05T10:00:00.123456Z","properties":{"a":[1,null]},"raw":"AP8K"}
            """);
  }

  // B25, B26, B29, B30
  @ParameterizedTest
  @EnumSource
  void otherColumnsThanThePinnedOnesAreRefusedBeforeAByte(Database database) throws Exception {
    Path out = out();
    List<Column> pinned =
        List.of(
            ID.get(0),
            new Column("at", ColumnType.of(Kind.TIMESTAMP)),
            new Column("word", ColumnType.of(Kind.JSON)));

    assertThatThrownBy(
            () ->
                run(
                    database,
                    "select \"word\" as \"id\", cast(\"at\" as timestamp) as \"at\", \"word\" from \"nasty\"",
                    pinned,
                    out))
        .isInstanceOf(SchemaMismatchException.class)
        .hasMessageContaining("column 1 'id' is ")
        .hasMessageContaining("(cast it: cast(id as bigint))")
        .hasMessageContaining("column 2 'at' is TIMESTAMP, and timestamp is pinned (say which zone")
        .hasMessageContaining("column 3 'word' is ");
    assertThat(out).isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource
  void aValueThatDoesNotFitIsNamedWithItsRow(Database database) throws Exception {
    Path out = out();

    assertThatThrownBy(
            () ->
                run(
                    database,
                    "select \"id\", cast(0.25 as decimal(10, 4)) as \"v\" from \"nasty\" where \"id\" = 3",
                    List.of(ID.get(0), new Column("v", ColumnType.decimal(10, 1))),
                    out))
        .isInstanceOf(MisfitException.class)
        .hasMessageContaining(
            "column 'v' of the row with id 3 has 0.2500, which is no decimal(10,1)");
  }

  // What Java and H2 have and a file has not is refused, and not bent.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "concat('a', char(55357)) | string | half a character",
        "timestamp with time zone '2026-01-01 00:00:00.123456789+00' | timestamp | microseconds"
      })
  void whatOnlyTheDriverCanSayIsRefused(String value, String type, String rule) throws Exception {
    Path out = out();

    assertThatThrownBy(
            () ->
                run(
                    Database.H2,
                    "select \"id\", " + value + " as \"v\" from \"nasty\" where \"id\" = 1",
                    List.of(ID.get(0), new Column("v", ColumnType.parse(type))),
                    out))
        .isInstanceOf(MisfitException.class)
        .hasMessageContaining("column 'v' of the row with id 1")
        .hasMessageContaining(rule);
  }
}
