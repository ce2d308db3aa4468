package dev.tidemark.activities.export.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.export.Nasty;
import dev.tidemark.activities.export.Readers;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.ColumnType.Kind;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.Load;
import dev.tidemark.workflows.export.Load.Engine;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real exports, loaded by the scripts beside them and compared with their source. */
class LoadScriptsTest {
  private static final Load LOAD =
      new Load(List.of(Engine.DUCKDB, Engine.POSTGRES), "analytics.events");
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  private static final LedgerTestDatabase SHOP = LedgerTestDatabase.create();

  @TempDir Path location;

  @BeforeAll
  static void makeShop() {
    SHOP.execute(Nasty.TABLE);
    SHOP.execute(Nasty.MORE);
  }

  @AfterAll
  static void close() {
    SHOP.close();
  }

  /** A partition as it is published, with its scripts. */
  private Path publish(Format format, String query, long token) throws Exception {
    return publish(format, query, Nasty.COLUMNS, token);
  }

  private Path publish(Format format, String query, List<Column> columns, long token)
      throws Exception {
    TaskSpec.Export nasty = Nasty.export(query, columns, format, LOAD);
    TaskSpec.Export export =
        new TaskSpec.Export(
            "shop", query, nasty.dataset(), new PartSize.Rows(300), LOAD, nasty.timeout());
    return Partitions.publish(SHOP.dataSource(), export, location, token);
  }

  private static List<List<@Nullable Object>> source(String where) throws SQLException {
    try (Connection connection = SHOP.dataSource().getConnection()) {
      return rows(
          connection,
          """
          select id, flag, small, ratio, large::text, amount::text, word, day::text,
            (extract(epoch from at) * 1000000)::bigint, properties::text,
            encode(raw, 'hex') from nasty where %s order by id
          """
              .formatted(where));
    }
  }

  private static List<List<@Nullable Object>> rows(Connection connection, String sql)
      throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery(sql)) {
      List<List<@Nullable Object>> rows = new ArrayList<>();
      while (found.next()) {
        List<@Nullable Object> row = new ArrayList<>();
        for (int i = 1; i <= found.getMetaData().getColumnCount(); i++) {
          Object value = found.getObject(i);
          row.add(i == 10 && value != null ? json(found.getString(i)) : value);
        }
        rows.add(row);
      }
      return rows;
    }
  }

  /** A null of JSON is one of SQL in NDJSON. */
  private static @Nullable Object json(String text) throws SQLException {
    try {
      JsonNode json = JSON.readTree(text);
      return json.isNull() ? null : json;
    } catch (JsonProcessingException e) {
      throw new SQLException(text, e);
    }
  }

  // B19, B28, B29, B30, B35, B36, B38, B39
  @ParameterizedTest
  @EnumSource(Format.class)
  void duckDbHasWhatTheSourceHasHoweverOftenItIsLoaded(Format format) throws Exception {
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
      Path first = publish(format, "select * from nasty order by id", 7);
      Partitions.runDuckDb(duck, first);
      Partitions.runDuckDb(duck, first);
      assertThat(duckRows(duck)).isEqualTo(source("true"));

      Path fewer = publish(format, "select * from nasty where id > 1 order by id", 8);
      Partitions.runDuckDb(duck, fewer);
      assertThat(duckRows(duck)).isEqualTo(source("id > 1"));

      Path none = publish(format, "select * from nasty where false", 9);
      Partitions.runDuckDb(duck, none);
      assertThat(duckRows(duck)).isEmpty();
    }
  }

  private static List<List<@Nullable Object>> duckRows(Connection duck) throws SQLException {
    return rows(
        duck,
        """
        select id, flag, small, ratio, large::varchar, amount::varchar, word, day::varchar,
          epoch_us("at"), properties::varchar, lower(hex(raw))
        from analytics.events
        where unit = 'it''s \\ "odd"' and dt = date '2026-09-05' order by id
        """);
  }

  // B26, B38: by the program itself, in the way that the script's header says
  @Test
  void aLoadThatFailsLeavesTheRowsThatWereThere() throws Exception {
    Path first = publish(Format.CSV, "select * from nasty order by id", 7);
    assertThat(runAsItSays(first)).isEqualTo("loaded");
    String before = count(first);
    assertThat(before).isNotEqualTo("0");

    List<Column> more = new ArrayList<>(Nasty.COLUMNS);
    more.add(new Column("more", ColumnType.of(Kind.STRING)));
    String query = "select nasty.*, 'x'::text as more from nasty where id > 1 order by id";
    Path second = publish(Format.CSV, query, more, 8);

    assertThat(runAsItSays(second)).isEqualTo("failed");
    assertThat(count(second)).isEqualTo(before);
  }

  /** Runs the command of the header, on a database of this test. */
  private String runAsItSays(Path day) throws Exception {
    Matcher says =
        Pattern.compile("(?m)^-- Run it in its folder: (duckdb .*)$")
            .matcher(Files.readString(day.resolve("_load_duckdb.sql")));
    assertThat(says.find()).isTrue();
    String command = says.group(1).replace("YOUR.db", location.resolve("own.db").toString());
    return shell(command + " && echo loaded || echo failed", day);
  }

  private String count(Path day) throws Exception {
    String database = location.resolve("own.db").toString();
    String command = "duckdb -list -noheader %s 'select count(*) from analytics.events'";
    return shell(command.formatted(database), day);
  }

  private static String shell(String command, Path folder) throws Exception {
    return new String(Readers.shell(command, folder), StandardCharsets.UTF_8).strip();
  }

  // B19, B30, B35, B36, B38, B39
  @ParameterizedTest
  @EnumSource(Format.class)
  void postgresHasWhatTheSourceHasHoweverOftenItIsLoaded(Format format) throws Exception {
    try (Connection warehouse = SHOP.dataSource().getConnection()) {
      Path first = publish(format, "select * from nasty order by id", 7);
      Partitions.runPostgres(warehouse, first);
      Partitions.runPostgres(warehouse, first);
      assertThat(postgresRows(warehouse)).isEqualTo(source("true"));

      Path fewer = publish(format, "select * from nasty where id > 1 order by id", 8);
      Partitions.runPostgres(warehouse, fewer);
      assertThat(postgresRows(warehouse)).isEqualTo(source("id > 1"));
    }
  }

  private static List<List<@Nullable Object>> postgresRows(Connection warehouse)
      throws SQLException {
    return rows(
        warehouse,
        """
        select id, flag, small, ratio, large::text, amount::text, word, day::text,
          (extract(epoch from at) * 1000000)::bigint, properties::text, encode(raw, 'hex')
        from analytics.events
        where unit = 'it''s \\ "odd"' and dt = date '2026-09-05' order by id
        """);
  }
}
