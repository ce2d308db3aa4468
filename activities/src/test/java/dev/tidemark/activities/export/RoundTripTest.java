package dev.tidemark.activities.export;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What PyArrow reads of an export, value by value: in a zone of its own, of a database in another,
 * by a JVM in a third. {@code LoadScriptsTest} does the same with DuckDB and PostgreSQL.
 */
class RoundTripTest {
  private static final LedgerTestDatabase SHOP = LedgerTestDatabase.create();
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

  @TempDir Path folder;

  @BeforeAll
  static void makeShop() {
    SHOP.execute(Nasty.TABLE);
    SHOP.execute(Nasty.MORE);
  }

  @AfterAll
  static void close() {
    SHOP.close();
  }

  private JsonNode exportAndRead(Format format, String where) throws Exception {
    TaskSpec.Export nasty =
        Nasty.export(
            "select * from nasty where " + where + " order by id", Nasty.COLUMNS, format, null);
    TaskSpec.Export inParts =
        new TaskSpec.Export(
            "shop", nasty.query(), nasty.dataset(), new PartSize.Rows(200), null, nasty.timeout());
    new Exporter(SHOP.dataSource(), inParts).run(Map.of(), folder, ending -> {});
    try (Stream<Path> files = Files.list(folder)) {
      return Readers.python(
          "read/read.py",
          Map.of(
              "format",
              format,
              "files",
              files.map(Path::toString).sorted().toList(),
              "columns",
              Nasty.COLUMNS.stream().map(RoundTripTest::column).toList()));
    }
  }

  private static Map<String, String> column(Column column) {
    return Map.of("name", column.name(), "type", column.type().toString());
  }

  /** What PostgreSQL itself says that the values are. */
  private static List<List<@Nullable Object>> source(String where) throws Exception {
    try (Connection connection = SHOP.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                """
                select id::text, flag::text, small::text, encode(float8send(ratio), 'hex'),
                  large::text, amount::text, word, (day - date '1970-01-01')::text,
                  (extract(epoch from at) * 1000000)::bigint::text, properties::text,
                  encode(raw, 'hex')
                from nasty where %s order by nasty.id
                """
                    .formatted(where))) {
      List<List<@Nullable Object>> all = new ArrayList<>();
      while (rows.next()) {
        List<@Nullable Object> row = new ArrayList<>();
        for (int i = 1; i <= Nasty.COLUMNS.size(); i++) {
          row.add(value(i - 1, rows.getString(i)));
        }
        all.add(row);
      }
      return all;
    }
  }

  private static List<List<@Nullable Object>> rows(JsonNode read) throws Exception {
    List<List<@Nullable Object>> all = new ArrayList<>();
    for (JsonNode found : read.get("rows")) {
      List<@Nullable Object> row = new ArrayList<>();
      for (int i = 0; i < Nasty.COLUMNS.size(); i++) {
        row.add(value(i, found.get(i).isNull() ? null : found.get(i).asText()));
      }
      all.add(row);
    }
    return all;
  }

  /** JSON is compared as what it says, and not as how it says it. */
  private static @Nullable Object value(int column, @Nullable String text) throws Exception {
    boolean isJson = Nasty.COLUMNS.get(column).name().equals("properties");
    JsonNode json = isJson && text != null ? JSON.readTree(text) : null;
    // A null of JSON is one of SQL in NDJSON, as the page of exports says.
    return isJson ? (json == null || json.isNull() ? null : json) : text;
  }

  // B27, B28, B29, B30, B39
  @ParameterizedTest
  @EnumSource(Format.class)
  void pyArrowReadsWhatTheSourceHas(Format format) throws Exception {
    List<List<@Nullable Object>> read = rows(exportAndRead(format, "true"));

    List<List<@Nullable Object>> source = source("true");
    assertThat(read).hasSize(535).hasSameSizeAs(source);
    for (int i = 0; i < source.size(); i++) {
      assertThat(read.get(i)).isEqualTo(source.get(i));
    }
  }

  // B30: a day without a value has the types of every other day
  @Test
  void aDayOfNothingButNullsHasTheTypesOfAnyOther() throws Exception {
    List<String> types =
        List.of(
            "int64",
            "bool",
            "int32",
            "double",
            "decimal128(38, 10)",
            "decimal128(10, 2)",
            "string",
            "date32[day]",
            "timestamp[us, tz=UTC]",
            "string",
            "binary");

    JsonNode nulls = exportAndRead(Format.PARQUET, "id = 2");

    assertThat(nulls.get("chunks")).extracting(JsonNode::asText).containsExactly("ZSTD True True");
    assertThat(nulls.get("types")).extracting(JsonNode::asText).isEqualTo(types);
    assertThat(rows(nulls)).isEqualTo(source("id = 2"));
  }
}
