package dev.tidemark.activities.index.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.export.Exporter;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.publish.Contents;
import dev.tidemark.activities.publish.Publication;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditRules;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import dev.tidemark.workflows.index.Rhythm;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows of every type, as PostgreSQL has them and as exports of it are read. */
class SourcesTest {
  private static final String ROWS =
      """
      select 7 as id, true as flag, 1234567890123 as big, 0.5::float8 as real,
             12.50::numeric as price, 12345678901234567890.5::numeric as huge,
             'ä "quoted", line' as name, date '2026-09-05' as day,
             timestamptz '2026-09-05 12:00:00.123456+02' as at,
             '{"a": [1, 2.50]}'::jsonb as json, '\\x00ff'::bytea as bytes
      union all select 8, null, null, null, null, null, null, null, null, null, null
      order by 1
      """;

  private static final List<Column> COLUMNS =
      List.of(
          column("id", ColumnType.of(ColumnType.Kind.INT)),
          column("flag", ColumnType.of(ColumnType.Kind.BOOLEAN)),
          column("big", ColumnType.of(ColumnType.Kind.BIGINT)),
          column("real", ColumnType.of(ColumnType.Kind.DOUBLE)),
          column("price", ColumnType.decimal(10, 2)),
          column("huge", ColumnType.decimal(30, 4)),
          column("name", ColumnType.of(ColumnType.Kind.STRING)),
          column("day", ColumnType.of(ColumnType.Kind.DATE)),
          column("at", ColumnType.of(ColumnType.Kind.TIMESTAMP)),
          column("json", ColumnType.of(ColumnType.Kind.JSON)),
          column("bytes", ColumnType.of(ColumnType.Kind.BYTES)));

  private static final String SEVEN =
      "7 = [7, true, 1234567890123, 0.5, 12.50, 12345678901234567890.5000, ä \"quoted\", line,"
          + " 2026-09-05, 2026-09-05T10:00:00.123456Z, {\"a\":[1,2.50]}, [0, -1]]";
  private static final String EIGHT =
      "8 = [8, null, null, null, null, null, null, null, null, null, null]";

  @TempDir Path folder;
  private TestLedger ledger;
  private Sources sources;

  @BeforeEach
  void open() {
    ledger = new TestLedger(folder);
    Connections shop = new Connections(Map.of("shop", ledger.database.dataSource()));
    sources =
        new Sources(
            shop,
            new ConfiguredStores(
                folder, Connections.NONE, Clock.fixed(TestLedger.NOW, ZoneOffset.UTC)),
            folder,
            ledger.database.dataSource());
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  private static Column column(String name, ColumnType type) {
    return new Column(name, type);
  }

  private static ObjectType type(Datasource.Origin origin, Datasource.Kind kind) {
    return new ObjectType(
        "thing",
        List.of("id"),
        COLUMNS.stream().map(c -> new Property(c.name(), c.type(), false)).toList(),
        List.of(new Datasource("rows", origin, kind, COLUMNS.stream().map(Column::name).toList())),
        EditRules.DEFAULT,
        Rhythm.DEFAULT,
        "objects");
  }

  private List<String> read(ObjectType type, Found found) throws IOException {
    List<String> rows = new ArrayList<>();
    Transaction transaction = new Transaction(1, found.identity(), found.version(), List.of());
    String version =
        sources
            .reader(type, type.datasources().get(0))
            .read(transaction, (key, row) -> rows.add(key + " = " + text(row.values())));
    assertThat(version).isEqualTo(found.version());
    return rows;
  }

  private static String text(@Nullable List<@Nullable Object> values) {
    if (values == null) {
      return "null";
    }
    return values.stream()
        .map(
            value -> value instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(value))
        .map(value -> value.replace(", 2.50]}", ",2.50]}").replace("\"a\": ", "\"a\":"))
        .toList()
        .toString();
  }

  // D5, D14
  @Test
  void aCommittedPartitionIsATransactionInEachFormat() throws Exception {
    for (Format format : Format.values()) {
      String name = "sales-" + format.name().toLowerCase(Locale.ROOT);
      RegisteredPipeline pipeline =
          ledger.register(TestPipeline.daily(name).output(new OutputSpec.Hive("out")));
      ObjectType type = type(new Datasource.FromPipeline(name, Map.of()), new Datasource.Append());
      assertThat(sources.find(type.datasources().get(0))).isEmpty();

      publish(pipeline, format);
      List<Found> found = sources.find(type.datasources().get(0));

      assertThat(found).singleElement().extracting(Found::identity).isEqualTo(TestLedger.DAY);
      assertThat(read(type, found.get(0))).as(name).containsExactly(SEVEN, EIGHT);
    }
  }

  private void publish(RegisteredPipeline pipeline, Format format) throws Exception {
    Begun begun = (Begun) ledger.attempts.begin(ledger.claim(pipeline), 1, "test");
    TaskSpec.Export export =
        new TaskSpec.Export(
            "shop",
            ROWS,
            new Dataset(format, COLUMNS, Dataset.Meaning.EVENT_TIME),
            PartSize.DEFAULT,
            null,
            Duration.ofHours(1));
    try (Publication publication = ledger.publisher.open(begun, new OutputSpec.Hive("out"))) {
      new Exporter(ledger.database.dataSource(), export)
          .run(Map.of(), publication.folder(), ending -> {});
      ledger.attempts.commit(begun.token(), publication.publish(null, Contents.of(2L)), null);
    }
  }

  // D26
  @Test
  void aPartitionThatIsLostIsWhatItWasUntilItIsReadAndGone() throws Exception {
    RegisteredPipeline pipeline =
        ledger.register(TestPipeline.daily("sales").output(new OutputSpec.Hive("out")));
    ObjectType type =
        type(new Datasource.FromPipeline("sales", Map.of()), new Datasource.Snapshot());
    publish(pipeline, Format.NDJSON);
    List<Found> found = sources.find(type.datasources().get(0));
    assertThat(found).hasSize(1);

    ledger.lose();
    assertThat(sources.find(type.datasources().get(0))).isEqualTo(found);
    Files.delete(folder.resolve("out/sales/dt=2026-01-01/_manifest.json"));
    assertThatThrownBy(() -> read(type, found.get(0)))
        .isInstanceOf(GoneException.class)
        .hasMessageContaining("2026-01-01");
  }

  // D5
  @Test
  void aQueryIsATransactionEachTimeThatItsVersionDiffers() throws Exception {
    ObjectType type =
        type(
            new Datasource.FromSql("shop", ROWS, "select 'v' || count(*) from pg_database"),
            new Datasource.Snapshot());
    List<Found> found = sources.find(type.datasources().get(0));

    assertThat(found).singleElement().extracting(Found::identity).isEqualTo("all");
    assertThat(found.get(0).version()).startsWith("v");
    assertThat(read(type, found.get(0))).containsExactly(SEVEN, EIGHT);
  }
}
