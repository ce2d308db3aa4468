package dev.tidemark.worker.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.alert.Routing;
import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.worker.alert.ChannelSettings;
import dev.tidemark.worker.alert.Notices;
import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Load;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.Retry;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.pipeline.TaskSpec;
import dev.tidemark.workflows.pipeline.Wake;
import io.temporal.common.WorkerDeploymentVersion;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationLoaderTest {
  private static final String MINIMAL =
      """
      pipelines:
        - name: a
          partitions: {every: day, start: 2026-01-01}
          task: {command: [sh]}
      """;

  /** Contracts, section 2, without what is not built yet. */
  private static final String FULL =
      """
      temporal:
        address: localhost:7233
        namespace: default
        task-queue: tidemark
      ledger:
        url: jdbc:postgresql://localhost:5432/tidemark
        username: tidemark
        password: ${TIDEMARK_LEDGER_PASSWORD}      # ${NAME} is the environment
      connections:
        shop: {jdbc: "jdbc:postgresql://...", username: reader, password: "${SHOP_PASSWORD:-none}"}
      page: {address: 127.0.0.1, port: 8080, tokens: {view: "${VIEW:-v}", operate: "${OP:-o}"}}
      pipelines:
        - name: daily-weather
          partitions: {every: day, zone: America/Los_Angeles, start: 2012-01-01, end: 2016-01-01}
          slices:
            - {unit: [seattle], category: [rain, wind], value: [sum, mean]}
            - {unit: [seattle], category: [snow], value: [sum], since: 2014-06-01, until: 2015-06-01}
          account: unit
          closes-after: 1h
          sweep: {every: 15m}
          order: newest-first
          inputs:
            - {files: "input/{partition}.csv"}
            - {sql: "select day as partition, max(updated_at) as version from orders where day >= :from and day < :to group by day", connection: shop}
            - {push: true}
          lookback: 14
          late-data: {accept: 60d, strategy: current-first}
          stateful: false
          catch-up: all
          on-definition-change: ask
          frozen: false
          keep: 400d
          limits: {partitions: 200, duration: 10m, files: 10000, bytes: 100GB, parallel: 20, per-account: 50, per-account-parallel: 4, backfill-share: 50%}
          retry: {attempts: 3, backoff: 10s, max-backoff: 5m, then-after: 15m, give-up-after: 10}
          freshness: {within: 2h}
          task: {command: ["python3", "summarise.py", "input/{partition}.csv", "{output}"], timeout: 10m}
          output: {location: ./out, layout: hive}
      """;

  @TempDir Path folder;

  private Configuration load(String yaml, Map<String, String> variables) throws Exception {
    ConfigurationFile file = ConfigurationFile.in(folder);
    Map<String, String> environment = new HashMap<>(file.environment());
    environment.putAll(variables);
    return new ConfigurationFile(file.file(), environment).load(yaml);
  }

  private PipelineDefinition pipeline(String lines) throws Exception {
    return load(MINIMAL + lines.indent(4), Map.of()).pipelines().get(0);
  }

  @Test
  void theExampleOfTheContractsIsRead() throws Exception {
    Configuration read = load(FULL, Map.of("TIDEMARK_LEDGER_PASSWORD", "s3cret"));

    assertThat(read.temporal())
        .isEqualTo(new TemporalSettings("localhost:7233", "default", "tidemark"));
    assertThat(read.temporal().isConfigured()).isTrue();
    assertThat(read.ledger())
        .isEqualTo(
            new LedgerSettings("jdbc:postgresql://localhost:5432/tidemark", "tidemark", "s3cret"));
    assertThat(read.connections())
        .containsOnly(
            Map.entry(
                "shop", new ConnectionSettings.Jdbc("jdbc:postgresql://...", "reader", "none")));
    PipelineDefinition weather = read.pipeline("daily-weather").orElseThrow();
    assertThat(weather.extent().partitions())
        .isEqualTo(
            new Partitioning(
                Grain.DAY, ZoneId.of("America/Los_Angeles"), "2012-01-01", "2016-01-01"));
    assertThat(weather.extent().slices()).hasSize(2);
    assertThat(weather.extent().slices().get(1))
        .isInstanceOfSatisfying(
            SliceSet.Product.class,
            line -> {
              assertThat(line.since()).isEqualTo("2014-06-01");
              assertThat(line.until()).isEqualTo("2015-06-01");
              assertThat(line.values())
                  .isEqualTo(
                      Map.of(
                          "unit", List.of("seattle"),
                          "category", List.of("snow"),
                          "value", List.of("sum")));
            });
    assertThat(weather.extent().account()).isEqualTo("unit");
    assertThat(weather.extent().closure()).isEqualTo(new Closure.AfterDelay(Duration.ofHours(1)));
    assertThat(weather.extent().keep()).isEqualTo(Period.ofDays(400));
    assertThat(weather.inputs())
        .hasSize(3)
        .startsWith(new InputSpec.Files("input/{partition}.csv", false))
        .endsWith(new InputSpec.Push());
    assertThat(weather.integration().lookback())
        .isEqualTo(IntStream.rangeClosed(1, 14).boxed().toList());
    assertThat(weather.pace().limits())
        .isEqualTo(
            new Limits(
                200,
                Duration.ofMinutes(10),
                20,
                50,
                4,
                50,
                new Limits.Volume(10_000, 100_000_000_000L)));
    assertThat(weather.pace().freshness()).isEqualTo(Duration.ofHours(2));
    assertThat(weather.task())
        .isEqualTo(
            new TaskSpec.Command(
                List.of("python3", "summarise.py", "input/{partition}.csv", "{output}"),
                Duration.ofMinutes(10)));
    assertThat(weather.output()).isEqualTo(new OutputSpec.Hive("./out"));
  }

  @Test
  void aPipelineTellsEveryChannelUnlessItSaysOtherwise() throws Exception {
    Notices notices =
        load(
                """
                notify:
                  ops: {webhook: "${HOOK}", bearer: "${TOKEN}", timeout: 5s}
                  pager: {command: [sh, page.sh]}
                  journal: {log: error}
                pipelines:
                  - {name: a, partitions: {every: day, start: 2026-01-01}, task: {command: [sh]}}
                  - name: b
                    partitions: {every: day, start: 2026-01-01}
                    task: {command: [sh]}
                    notify: []
                    on-failure: [pager]
                """,
                Map.of("HOOK", "https://hooks.example.com/x", "TOKEN", "t"))
            .notices();

    assertThat(notices.channels())
        .containsExactly(
            Map.entry(
                "ops",
                new ChannelSettings.Webhook(
                    URI.create("https://hooks.example.com/x"), "t", Duration.ofSeconds(5))),
            Map.entry(
                "pager",
                new ChannelSettings.Command(List.of("sh", "page.sh"), Duration.ofSeconds(10))),
            Map.entry("journal", new ChannelSettings.Log(ChannelSettings.Level.ERROR)));
    assertThat(notices.routes())
        .containsOnly(
            Map.entry("a", new Routing(List.of("ops", "pager", "journal"), List.of())),
            Map.entry("b", new Routing(List.of(), List.of("pager"))));
  }

  @Test
  void theVersionOfWorkersIsWrittenOrToldByTheEnvironment() throws Exception {
    String written = "temporal: {worker-deployment: {name: reports, build-id: 1.4.0}}\n";
    Map<String, String> told =
        Map.of("TEMPORAL_DEPLOYMENT_NAME", "nightly", "TEMPORAL_WORKER_BUILD_ID", "c0ffee");

    assertThat(load(written + MINIMAL, told).temporal().version())
        .isEqualTo(new WorkerDeploymentVersion("reports", "1.4.0"));
    assertThat(load(MINIMAL, told).temporal().version())
        .isEqualTo(new WorkerDeploymentVersion("nightly", "c0ffee"));
    assertThat(
            load("temporal: {worker-deployment: {build-id: b}}\n" + MINIMAL, Map.of())
                .temporal()
                .version())
        .isEqualTo(new WorkerDeploymentVersion("tidemark", "b"));
    assertThat(load(MINIMAL, Map.of()).temporal().version()).isNull();
  }

  @Test
  void whatIsNotSaidHasTheDefaultsOfTheContracts() throws Exception {
    Configuration read = load(MINIMAL, Map.of());
    PipelineDefinition a = read.pipelines().get(0);

    assertThat(read.temporal()).isEqualTo(new TemporalSettings(null, null, "tidemark"));
    assertThat(read.temporal().isConfigured()).isFalse();
    assertThat(read.ledger()).isNull();
    assertThat(a.extent().partitions().zone()).isEqualTo(ZoneId.of("UTC"));
    assertThat(a.extent().closure()).isEqualTo(new Closure.AfterDelay(Duration.ZERO));
    assertThat(a.extent().keep()).isNull();
    assertThat(a.integration())
        .isEqualTo(
            new Integration(
                List.of(),
                Period.ofDays(60),
                Integration.Strategy.CURRENT_FIRST,
                false,
                false,
                Integration.OnDefinitionChange.ASK));
    assertThat(a.pace())
        .isEqualTo(
            new Pace(
                new Wake.Every(Duration.ofMinutes(15)),
                Pace.Order.NEWEST_FIRST,
                new CatchUp.All(),
                new Limits(1000, Duration.ofMinutes(10), 20, null, null, 50),
                new Retry(
                    3, Duration.ofSeconds(10), Duration.ofMinutes(5), Duration.ofMinutes(15), 10),
                null));
    assertThat(a.task()).isEqualTo(new TaskSpec.Command(List.of("sh"), Duration.ofHours(1)));
    assertThat(a.output()).isNull();
  }

  @Test
  void whatYaml11GuessesAtIsTakenAsItIsWritten() throws Exception {
    PipelineDefinition a =
        pipeline(
            """
            slices: [{country: [no, yes, 010, 1.0, 1e3, 2026-09-05, 0x1F, 12:30:45]}]
            closes-at: 01:00
            """);

    assertThat(((SliceSet.Product) a.extent().slices().get(0)).values().get("country"))
        .containsExactly("no", "yes", "010", "1.0", "1e3", "2026-09-05", "0x1F", "12:30:45");
    assertThat(a.extent().closure()).isEqualTo(new Closure.AtWallTime(LocalTime.of(1, 0)));
  }

  @Test
  void labelsOfEveryGrainAreTakenAsTheyAreWritten() throws Exception {
    Map<String, String> starts =
        Map.of(
            "15m", "2026-09-05T13:15",
            "hour", "2026-09-05T13",
            "day", "2026-09-05",
            "week", "2026-W36",
            "month", "2026-09",
            "quarter", "2026-Q3",
            "year", "2026");
    for (Map.Entry<String, String> start : starts.entrySet()) {
      String partitions = "{every: " + start.getKey() + ", start: " + start.getValue() + "}";
      PipelineDefinition read =
          load(MINIMAL.replaceAll("\\{every.*}", partitions), Map.of()).pipelines().get(0);
      assertThat(read.extent().partitions().first().label()).isEqualTo(start.getValue());
    }
  }

  @Test
  void otherSpellingsAreRead() throws Exception {
    PipelineDefinition a =
        pipeline(
            """
            closes-after: PT90S
            sweep: {cron: "CRON_TZ=Europe/Istanbul */15 0-6,22 * JAN-mar mon"}
            lookback: [30, 1, 7, 2]
            late-data: {accept: P2M, strategy: late-first}
            catch-up: none
            keep: P1Y
            order: oldest-first
            on-definition-change: rerun
            inputs: [{files: "in/**/{slice.unit}-{start:yyyy-MM-dd}.csv", allow-empty: true}]
            slices: {sql: "select unit from units", connection: shop}
            account: unit
            output: {location: out, layout: file, path: "{start:yyyy/MM/dd}/{slice.unit}.json", commit: marker}
            """,
            "connections: {shop: {jdbc: \"jdbc:postgresql://db/shop\"}}\n");

    assertThat(a.extent().closure()).isEqualTo(new Closure.AfterDelay(Duration.ofSeconds(90)));
    assertThat(a.pace().sweep())
        .isEqualTo(new Wake.Cron("CRON_TZ=Europe/Istanbul */15 0-6,22 * JAN-mar mon"));
    assertThat(a.integration().lookback()).containsExactly(1, 2, 7, 30);
    assertThat(a.integration().accept()).isEqualTo(Period.ofMonths(2));
    assertThat(a.pace().catchUp()).isEqualTo(new CatchUp.Newest(1));
    assertThat(a.extent().keep()).isEqualTo(Period.ofYears(1));
    assertThat(a.extent().slices())
        .containsExactly(new SliceSet.Query("select unit from units", "shop"));
    assertThat(a.output())
        .isEqualTo(
            new OutputSpec.File(
                "out", "{start:yyyy/MM/dd}/{slice.unit}.json", OutputSpec.Commit.MARKER));
  }

  private PipelineDefinition pipeline(String lines, String top) throws Exception {
    return load(top + MINIMAL + lines.indent(4), Map.of()).pipelines().get(0);
  }

  @Test
  void sqlTasksAreRead() throws Exception {
    PipelineDefinition a =
        load(
                """
                connections: {shop: {jdbc: "jdbc:postgresql://db/shop"}}
                pipelines:
                  - name: a
                    partitions: {every: day, start: 2026-01-01}
                    slices: [{unit: [a]}]
                    task:
                      sql: |
                        insert into totals select :partition::date, :slice_unit, count(*) from orders
                        where at >= :start and at < :end and note <> ':nothing'
                      connection: shop
                      replace: {table: totals, where: "day = :partition::date and unit = :slice_unit"}
                """,
                Map.of())
            .pipelines()
            .get(0);

    assertThat(a.task())
        .isInstanceOfSatisfying(
            TaskSpec.Sql.class,
            sql ->
                assertThat(sql.replace())
                    .isEqualTo(
                        new TaskSpec.Replace(
                            "totals", "day = :partition::date and unit = :slice_unit")));
  }

  // B25, B35
  @Test
  void anExport() throws Exception {
    PipelineDefinition a =
        load(
                """
                connections:
                  shop: {jdbc: "jdbc:postgresql://db/shop"}
                pipelines:
                  - name: a
                    partitions: {every: day, start: 2026-01-01}
                    task:
                      export:
                        connection: shop
                        query: select id, amount from events where at >= :start and at < :end
                        format: parquet
                        columns:
                          - {name: id, type: bigint}
                          - {name: amount, type: "decimal(18,4)"}
                        part-bytes: 64MB
                        meaning: event-time
                        load: [duckdb, postgres]
                        table: analytics.events
                      timeout: 2h
                    output: {location: out}
                """,
                Map.of())
            .pipelines()
            .get(0);

    assertThat(a.task())
        .isEqualTo(
            new TaskSpec.Export(
                "shop",
                "select id, amount from events where at >= :start and at < :end",
                new Dataset(
                    Dataset.Format.PARQUET,
                    List.of(
                        new Column("id", ColumnType.of(ColumnType.Kind.BIGINT)),
                        new Column("amount", ColumnType.decimal(18, 4))),
                    Dataset.Meaning.EVENT_TIME),
                new PartSize.Bytes(64_000_000),
                new Load(List.of(Load.Engine.DUCKDB, Load.Engine.POSTGRES), "analytics.events"),
                Duration.ofHours(2)));
  }

  @Test
  void variablesAreFilledIn() throws Exception {
    PipelineDefinition a =
        load(
                """
                pipelines:
                  - name: ${NAME}
                    partitions: {every: "${GRAIN:-day}", start: 2026-01-01}
                    task: {command: [sh, -c, "echo $HOME $${HOME} ${GREETING:-hello} { x; }"]}
                """,
                Map.of("NAME", "a", "GREETING", "$1 {partition}"))
            .pipelines()
            .get(0);

    assertThat(a.name()).isEqualTo("a");
    assertThat(((TaskSpec.Command) a.task()).command().get(2))
        .isEqualTo("echo $HOME ${HOME} $1 {partition} { x; }");
  }

  // B40: a secret that is mounted as a file
  @Test
  void aFileIsFilledInWithoutTheEndOfItsLastLine() throws Exception {
    Files.writeString(folder.resolve("key"), "s3cret\n");

    Configuration read =
        load(
            """
            connections:
              lake: {s3: {bucket: exports, access-key: a, secret-key: "${file:key}"}}
              shop: {jdbc: "jdbc:postgresql://db/shop"}
              each: {s3: {sql: "select b as bucket from d where c = :account", connection: shop}}
            """
                + MINIMAL
                + """
                    slices: [{unit: [a, b]}]
                    output: {location: "connection:each:{slice.unit}/daily"}
                """,
            Map.of());

    assertThat(read.connections())
        .containsValues(
            new ConnectionSettings.S3(
                new Bucket.Place("exports", null, null, false),
                new Bucket.Credentials.Keys("a", "s3cret")),
            new ConnectionSettings.Destinations(
                "select b as bucket from d where c = :account", "shop"));
  }

  @Test
  void anchorsAndMergesAreFollowedAndOwnKeysWin() throws Exception {
    Configuration read =
        load(
            """
            pipelines:
              - &base
                name: a
                partitions: &days {every: day, start: 2026-01-01}
                task: {command: [sh]}
              - <<: *base
                name: b
                partitions: {<<: *days, zone: Europe/Istanbul}
            """,
            Map.of());

    assertThat(read.pipelines()).extracting(PipelineDefinition::name).containsExactly("a", "b");
    assertThat(read.pipelines().get(1).task()).isEqualTo(read.pipelines().get(0).task());
    assertThat(read.pipelines().get(1).extent().partitions())
        .isEqualTo(new Partitioning(Grain.DAY, ZoneId.of("Europe/Istanbul"), "2026-01-01", null));
  }

  @Test
  void temporalNamedInTheEnvironmentCountsAsConfigured() throws Exception {
    assertThat(load(MINIMAL, Map.of("TEMPORAL_ADDRESS", "prod:7233")).temporal().isConfigured())
        .isTrue();

    Path toml = folder.resolve("temporal.toml");
    Files.writeString(toml, "[profile.default]\naddress = \"prod:7233\"\n");
    assertThat(
            load(MINIMAL, Map.of("TEMPORAL_CONFIG_FILE", toml.toString()))
                .temporal()
                .isConfigured())
        .isTrue();
  }

  @Test
  void sectionsWithNothingInThemAreAsIfTheyWereNotThere() throws Exception {
    Configuration read = load("temporal:\nledger:\nconnections:\n" + MINIMAL, Map.of());

    assertThat(read.ledger()).isNull();
    assertThat(read.temporal().taskQueue()).isEqualTo(TemporalSettings.DEFAULT_TASK_QUEUE);
  }

  @Test
  void locationsStayAsWrittenAndTheFolderIsTheFiles() throws Exception {
    Configuration read = load(MINIMAL + "    output: {location: ./out}\n", Map.of());

    assertThat(read.folder()).isEqualTo(folder.toAbsolutePath());
    assertThat(read.pipelines().get(0).output()).isEqualTo(new OutputSpec.Hive("./out"));
  }

  @Test
  void passwordsAreNotPrinted() throws Exception {
    Configuration read =
        load(FULL, Map.of("TIDEMARK_LEDGER_PASSWORD", "s3cret", "SHOP_PASSWORD", "s3cret"));

    assertThat(read.toString()).contains("jdbc:postgresql://localhost").doesNotContain("s3cret");
  }

  // B40: each account's outputs can go to a bucket of its own, with its own credentials.
  @Test
  void objectStoresAreReadWithTheirCredentials() throws Exception {
    Configuration read =
        load(
            """
            connections:
              lake-a: {s3: {bucket: exports-a, region: eu-central-1, access-key: a, secret-key: "${SECRET}"}}
              lake-b: {s3: {bucket: exports-b, endpoint: "http://127.0.0.1:9000", path-style: true, profile: b}}
              lake-c: {s3: {bucket: exports-c}}
            """
                + MINIMAL
                + """
                    slices: [{unit: [a, b]}]
                    output: {location: "connection:lake-{slice.unit}/daily"}
                """,
            Map.of("SECRET", "s3cret"));

    assertThat(read.connections())
        .containsValues(
            new ConnectionSettings.S3(
                new Bucket.Place("exports-a", "eu-central-1", null, false),
                new Bucket.Credentials.Keys("a", "s3cret")),
            new ConnectionSettings.S3(
                new Bucket.Place("exports-b", null, "http://127.0.0.1:9000", true),
                new Bucket.Credentials.Profile("b")),
            new ConnectionSettings.S3(
                new Bucket.Place("exports-c", null, null, false), Bucket.Credentials.DEFAULT));
    assertThat(read.pipelines().get(0).output())
        .isEqualTo(new OutputSpec.Hive("connection:lake-{slice.unit}/daily"));
    assertThat(read.toString()).contains("exports-a").doesNotContain("s3cret");
  }
}
