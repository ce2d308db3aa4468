package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.export.Nasty;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.export.Load;
import dev.tidemark.workflows.export.Load.Engine;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.ledger.PartitionOutcome.Kind;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An export as an attempt runs it: published whole with what describes it, or not at all. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ExportTaskTest {
  private static final Load LOAD =
      new Load(List.of(Engine.DUCKDB, Engine.REDSHIFT), "analytics.events");

  @TempDir Path folder;
  private TestLedger ledger;
  private TestWorker worker;

  @BeforeEach
  void open() {
    ledger = new TestLedger(folder);
    worker = new TestWorker(ledger, folder);
    ledger.database.execute(Nasty.TABLE);
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  private Claim claim(String query, @Nullable Load load) throws Exception {
    TaskSpec.Export nasty = Nasty.export(query, Nasty.COLUMNS, Format.NDJSON, load);
    TaskSpec.Export task =
        new TaskSpec.Export("ledger", query, nasty.dataset(), nasty.parts(), load, nasty.timeout());
    RegisteredPipeline pipeline =
        ledger.register(
            TestPipeline.daily("sales").task(task).output(new OutputSpec.Hive("./out")));
    return ledger.claim(pipeline);
  }

  private PartitionOutcome attempt(Claim claim, int number) {
    return worker.attempt(claim, number);
  }

  private Path day() {
    return folder.resolve("out/sales/dt=2026-01-01");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(day())) {
      return files
          .map(file -> file.getFileName().toString().replaceAll("-[0-9]+\\.", "-T."))
          .sorted()
          .toList();
    }
  }

  // B16, B17, B18, B21, B35, c-J3, c-J6
  @Test
  void isPublishedWithASchemaASourceAndItsScripts() throws Exception {
    Claim claim = claim("select * from nasty where :start < :end order by id", LOAD);

    assertThat(attempt(claim, 1).kind()).isEqualTo(Kind.COMMITTED);

    assertThat(names())
        .containsExactly(
            "_dataset.md",
            "_load_duckdb.sql",
            "_load_redshift.manifest",
            "_load_redshift.sql",
            "_manifest.json",
            "part-00000-T.ndjson",
            "part-00001-T.ndjson");
    JsonNode manifest = new ObjectMapper().readTree(day().resolve("_manifest.json").toFile());
    assertThat(manifest.get("rows").asLong()).isEqualTo(6);
    assertThat(manifest.get("files")).hasSize(2);
    assertThat(manifest.at("/files/0/rows").asLong()).isEqualTo(4);
    assertThat(manifest.at("/schema/4").toString())
        .isEqualTo("{\"name\":\"large\",\"type\":\"decimal(38,10)\"}");
    assertThat(manifest.at("/source/query").asText()).startsWith("select * from nasty");
    assertThat(manifest.at("/source/rows_read").asLong()).isEqualTo(6);
    assertThat(manifest.at("/source/snapshot_at").asText()).endsWith("Z");
    assertThat(manifest.at("/source/meaning").asText()).isEqualTo("event-time");
    assertThat(manifest.at("/source/bounds/start").asText()).isEqualTo("2025-12-31T21:00:00Z");
    assertThat(Files.readString(day().resolve("_load_duckdb.sql")))
        .contains(manifest.at("/files/1/name").asText(), "must return 6");
  }

  // B18, B19: also the texts about the parts
  @Test
  void anotherOneReplacesThePartsAndTheScripts() throws Exception {
    Claim claim = claim("select * from nasty where :start < :end order by id", LOAD);
    attempt(claim, 1);

    Load other = new Load(List.of(Engine.POSTGRES), "events");
    ledger.lose();
    Claim again = claim("select * from nasty where :start < :end and id = 1", other);
    assertThat(attempt(again, 1).kind()).isEqualTo(Kind.COMMITTED);

    assertThat(names())
        .containsExactly(
            "_dataset.md", "_load_postgres.sql", "_manifest.json", "part-00000-T.ndjson");
  }

  // B25, B26: an API from the first commit on
  @Test
  void columnsAreOnlyEverAddedAtTheEnd() throws Exception {
    List<Column> columns = Nasty.COLUMNS.subList(0, 2);
    register(Nasty.COLUMNS.subList(1, 2));
    Claim claim = ledger.claim(register(columns));
    assertThat(attempt(claim, 1).kind()).isEqualTo(Kind.COMMITTED);

    assertThatThrownBy(() -> register(Nasty.COLUMNS.subList(1, 3)))
        .isInstanceOf(LedgerRefusal.class)
        .hasMessageContaining("column 1 was id bigint and is flag boolean; column 2 was flag")
        .hasMessageContaining("sales-v2");
    assertThatThrownBy(() -> register(List.of(columns.get(1), columns.get(0))))
        .hasMessageContaining("column 1 was id bigint and is flag boolean; column 2 was flag");
    assertThatThrownBy(
            () -> register(List.of(columns.get(0), new Column("flags", columns.get(1).type()))))
        .hasMessageContaining("column 2 was flag boolean and is flags boolean");
    assertThatThrownBy(() -> register(columns.subList(0, 1)))
        .hasMessageContaining("column 2 was flag boolean and is not there");
    assertThatThrownBy(
            () -> register(List.of(new Column("id", ColumnType.decimal(20, 0)), columns.get(1))))
        .hasMessageContaining("column 1 was id bigint and is id decimal(20,0)");
    assertThat(register(Nasty.COLUMNS.subList(0, 3)).revision()).isEqualTo(3);
  }

  // B25: what pins the columns is the first commit, and not the first definition
  @Test
  void theColumnsThatAreCommittedFirstArePinnedForTheSweepToo() throws Exception {
    ledger.database.execute("create table gate (open boolean)");
    RegisteredPipeline pipeline =
        register(Nasty.COLUMNS.subList(0, 2), "exists (select from gate) and ");
    Claim claim = ledger.claim(pipeline);
    try (Connection gate = ledger.database.dataSource().getConnection();
        Statement statement = gate.createStatement()) {
      gate.setAutoCommit(false);
      statement.execute("lock table gate in access exclusive mode");
      CompletableFuture<PartitionOutcome> first =
          CompletableFuture.supplyAsync(() -> attempt(claim, 1));
      while (!isWaitingForTheGate()) {
        Thread.onSpinWait();
      }
      // Nothing is committed yet.
      List<Column> others = List.of(Nasty.COLUMNS.get(0), Nasty.COLUMNS.get(2));
      assertThat(register(others).revision()).isEqualTo(2);
      gate.rollback();
      assertThat(first.get(20, TimeUnit.SECONDS).kind()).isEqualTo(Kind.COMMITTED);

      ledger.lose();
      Claim second = ledger.claim(pipeline);
      assertThatThrownBy(() -> attempt(second, 1))
          .hasMessageContaining("column 2 was flag boolean and is small int")
          .hasMessageContaining("sales-v2");
    }
    assertThat(names()).containsExactly("_dataset.md", "_manifest.json");
  }

  private boolean isWaitingForTheGate() throws SQLException {
    return ledger
        .query(
            "select count(*) > 0 from pg_stat_activity where wait_event_type = 'Lock'"
                + " and datname = current_database()")
        .equals("t");
  }

  private RegisteredPipeline register(List<Column> columns) throws Exception {
    return register(columns, "");
  }

  private RegisteredPipeline register(List<Column> columns, String condition) throws Exception {
    String names = columns.stream().map(Column::name).collect(Collectors.joining(", "));
    TaskSpec.Export nasty =
        Nasty.export(
            "select " + names + " from nasty where " + condition + ":start < :end",
            columns,
            Format.CSV,
            null);
    TaskSpec task =
        new TaskSpec.Export(
            "ledger", nasty.query(), nasty.dataset(), nasty.parts(), null, nasty.timeout());
    return ledger.register(
        TestPipeline.daily("sales").task(task).output(new OutputSpec.Hive("./out")));
  }

  @Test
  void aValueThatDoesNotFitParksThePartitionAndPublishesNothing() throws Exception {
    Claim claim =
        claim(
            "select id, flag, small, ratio, large, amount * 1e9 as amount, word, day, at, properties,"
                + " raw from nasty where :start < :end order by id",
            LOAD);

    PartitionOutcome outcome = attempt(claim, 1);

    assertThat(outcome.kind()).isEqualTo(Kind.PARKED);
    assertThat(ledger.state("parked")).isEqualTo("t");
    assertThat(ledger.state("last_error"))
        .contains("column 'amount' of the row with id -9223372036854775808 has");
    assertThat(day()).doesNotExist();
  }

  @Test
  void aQueryOfOtherColumnsPublishesNothing() throws Exception {
    Claim claim = claim("select :start::text as id", LOAD);

    assertThatThrownBy(() -> attempt(claim, 1)).hasMessageContaining("does not return the pinned");
    assertThat(ledger.state("last_error")).contains("column 1 'id' is text, and bigint is pinned");
    assertThat(day()).doesNotExist();
  }

  private boolean isSleeping() throws SQLException {
    return ledger
        .query(
            "select count(*) from pg_stat_activity where wait_event = 'PgSleep'"
                + " and datname = current_database()")
        .equals("1");
  }

  // A cancel reaches a query that is running in the database.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "from nasty, pg_sleep(50) | select 'none', 0",
        "from nasty | select 'slow', count(*) from pg_sleep(50)"
      })
  void aCancelEndsTheQuery(String from, String leftOut) throws Exception {
    TaskSpec.Export nasty =
        Nasty.export(
            "select id, flag, small, ratio, large, amount, word, day, at, properties, raw " + from,
            Nasty.COLUMNS,
            Format.CSV,
            null);
    TaskSpec.Export endless =
        new TaskSpec.Export(
            "ledger",
            nasty.query(),
            nasty.dataset(),
            nasty.parts(),
            null,
            leftOut,
            nasty.timeout());
    TaskRun run = TaskRuns.in(folder);
    CompletableFuture<Object> running =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return run.interruptibly(
                    () -> new ExportTask(ledger.database.dataSource(), endless).run(run));
              } catch (Exception e) {
                return e;
              }
            });
    while (!isSleeping()) {
      Thread.onSpinWait();
    }

    run.end(TaskRun.End.CANCELLED);

    assertThat(running.get(20, TimeUnit.SECONDS)).isInstanceOf(Exception.class);
    while (isSleeping()) {
      Thread.onSpinWait();
    }
  }

  // The rows that came before the end are in files that nobody sees.
  @Test
  void aQueryThatIsEndedMidwayPublishesNothingAndSpendsNothing() throws Exception {
    Claim claim =
        claim(
            "select n.* from nasty n, nasty a, nasty b, nasty c, nasty d, nasty e, nasty f, nasty g,"
                + " nasty h, nasty i where :start < :end",
            LOAD);
    PartitionRunner runner = worker.runner();
    CompletableFuture<PartitionOutcome> running =
        CompletableFuture.supplyAsync(() -> runner.run(claim, 1, () -> {}));
    while (!hasFiles() && !running.isDone()) {
      Thread.onSpinWait();
    }

    runner.close();

    assertThat(running.get(20, TimeUnit.SECONDS).kind()).isEqualTo(Kind.RELEASED);
    assertThat(day()).doesNotExist();
    assertThat(hasFiles()).isFalse();
    assertThat(ledger.query("select failures from tidemark.partition_ledger")).isEqualTo("0");
    assertThat(
            ledger.query(
                "select count(*) from pg_stat_activity where query like '%nasty h, nasty i%'"
                    + " and state = 'active' and pid <> pg_backend_pid()"
                    + " and datname = current_database()"))
        .isEqualTo("0");
  }

  /** Whether there is a file of data anywhere below the folder. */
  private boolean hasFiles() throws IOException {
    try (Stream<Path> below = Files.walk(folder)) {
      return below.anyMatch(path -> path.getFileName().toString().startsWith("part-"));
    } catch (UncheckedIOException gone) {
      return hasFiles();
    }
  }
}
