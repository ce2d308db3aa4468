package dev.tidemark.worker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.uber.m3.tally.Scope;
import dev.tidemark.activities.index.ledger.ObjectDefinitions;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.task.BadDataException;
import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.activities.task.TaskContext;
import dev.tidemark.worker.access.Access;
import dev.tidemark.worker.access.AccessSettings;
import dev.tidemark.worker.access.Grant;
import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.alert.Watch;
import dev.tidemark.worker.alert.Watching;
import dev.tidemark.worker.configuration.Configuration.Defined;
import dev.tidemark.worker.embedded.TestServices;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.worker.http.HttpServer;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.worker.process.Bindings;
import dev.tidemark.worker.process.TidemarkWorker;
import dev.tidemark.worker.process.WorkerSetup;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.index.Datasource;
import dev.tidemark.workflows.index.EditRules;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.Property;
import dev.tidemark.workflows.index.Rhythm;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Prometheus reads of a real worker. */
@Timeout(120)
class ScrapeTest {
  private static final Pattern FAMILY = Pattern.compile("(?m)^# TYPE (\\S+) ");
  private static final Pattern DOCUMENTED = Pattern.compile("(?m)^\\| `([a-z_]+)`");
  private static final Watch.Rhythm QUICK =
      new Watch.Rhythm(Duration.ofMillis(50), Duration.ofMillis(50));

  @TempDir Path folder;
  private final String name = "p" + UUID.randomUUID().toString().substring(0, 8);
  private final Exposition exposition = new Exposition();

  // Ten partitions of which one fails: each number is where it belongs
  @Test
  void aSweepIsCounted() throws Exception {
    PipelineDefinition definition = register();
    try (TidemarkWorker worker = start(definition, ScrapeTest::fifthFails)) {
      assertThat(worker).isNotNull();
      TidemarkClient client = new TidemarkClient(TestServices.client(), name);
      client.awaitSweep(
          client.startSweep(name, Instant.parse("2026-01-11T00:30:00Z"), "one"),
          Duration.ofSeconds(60));
    }
    assertThat(exposition.scrape())
        .contains(
            "tidemark_claimed_partitions_total{pipeline=\"%s\"} 10.0".formatted(name),
            "tidemark_attempts_total{outcome=\"committed\",pipeline=\"%s\"} 9.0".formatted(name),
            "tidemark_attempts_total{outcome=\"parked\",pipeline=\"%s\"} 1.0".formatted(name),
            "tidemark_attempt_seconds_count{pipeline=\"%s\"} 10".formatted(name),
            "tidemark_sweep_seconds_count{pipeline=\"%s\",trigger=\"manual\"} 1".formatted(name),
            "tidemark_plan_seconds_count{outcome=\"ok\",pipeline=\"%s\"} 1".formatted(name));
    assertThat(ledgerNumbers("tidemark_partitions{pipeline=\"%s\",state=\"completed\"} 9.0"))
        .contains(
            "tidemark_partitions{pipeline=\"%s\",state=\"parked\"} 1.0".formatted(name),
            "tidemark_partitions_due{pipeline=\"%s\"} 0.0".formatted(name));
  }

  private static void fifthFails(TaskContext context) throws BadDataException {
    if (context.window().label().equals("2026-01-05")) {
      throw new BadDataException("no columns");
    }
  }

  // D30: pipelines times states, whatever they hold
  @Test
  void theNumberOfSeriesDoesNotGrowWithPartitionsOrSlices() throws Exception {
    register();
    int few = series(ledgerNumbers("tidemark_partitions{pipeline=\"%s\",state=\"running\"} 0.0"));
    run(
        """
        insert into tidemark.partition_ledger
            (pipeline_id, slice, account, partition, window_start, window_end)
        select pipeline_id, 'unit=' || n, n::text, '2026-01-01', '2026-01-01Z', '2026-01-02Z'
          from tidemark.pipeline, generate_series(1, 500) n
         where name = '%s'
        """
            .formatted(name));
    String many =
        ledgerNumbers("tidemark_partitions{pipeline=\"%s\",state=\"never_attempted\"} 510.0");
    assertThat(series(many)).isEqualTo(few);
    assertThat(many).doesNotContain("unit=", "2026-01-01");
  }

  // The SDK asks for seventy buckets for each of its latencies and operations
  @Test
  void theSdksLatenciesHaveNoBuckets() throws Exception {
    try (Scope scope = exposition.metrics().temporalScope()) {
      scope
          .tagged(Map.of("operation", "PollWorkflowTaskQueue"))
          .timer("temporal_request_latency")
          .record(com.uber.m3.util.Duration.ofMillis(20));
    }
    assertThat(exposition.scrape())
        .contains("temporal_request_latency_seconds_count{operation=\"PollWorkflowTaskQueue\"")
        .doesNotContain("temporal_request_latency_seconds_bucket");
  }

  // docs/metrics.md is what there is, neither more nor less
  @Test
  void everyMetricIsDocumented() throws Exception {
    register();
    run("update tidemark.pipeline set last_sweep_at = now() where name = '%s'".formatted(name));
    registerObjects();
    ledgerNumbers("tidemark_partitions{pipeline=\"%s\",state=\"running\"} 0.0");
    Set<String> shown =
        families(FAMILY, exposition.scrape()).stream()
            .filter(family -> family.startsWith("tidemark_"))
            .filter(family -> !family.endsWith("_seconds_max"))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(families(DOCUMENTED, Files.readString(Path.of("../docs/metrics.md"))))
        .containsExactlyElementsOf(shown);
  }

  /** An object type whose first build has failed. */
  private void registerObjects() throws Exception {
    new ObjectDefinitions(TestServices.ledger())
        .register(
            new ObjectType(
                name,
                List.of("id"),
                List.of(new Property("id", ColumnType.parse("bigint"), false)),
                List.of(
                    new Datasource(
                        "crm",
                        new Datasource.FromPipeline(name, Map.of()),
                        new Datasource.Snapshot(),
                        List.of("id"))),
                EditRules.DEFAULT,
                new Rhythm(Duration.ofMinutes(1), Duration.ofHours(6), 0.8, Duration.ofMinutes(10)),
                folder.toString()));
    run(
        """
        insert into tidemark.object_build
               (object_index_id, generation, token, cause, full_build, state, through_edit, input,
                lease_until)
        select object_index_id, 1, nextval('tidemark.object_token'), 'source', true, 'failed', 0,
               '', now()
          from tidemark.object_index join tidemark.object_type using (object_type_id)
         where name = '%s'
        """
            .formatted(name));
  }

  // D30: a few series for each object type
  @Test
  void objectTypesAreCounted() throws Exception {
    register();
    registerObjects();
    run(
        """
        insert into tidemark.partition_ledger
               (pipeline_id, slice, partition, window_start, window_end, committed_token,
                committed_at)
        select pipeline_id, '', '2026-01-01', '2026-01-01Z', '2026-01-02Z', 1,
               now() - interval '1 hour'
          from tidemark.pipeline where name = '%s'
        """
            .formatted(name));

    String scrape =
        ledgerNumbers("tidemark_object_builds_failed{object_type=\"%s\",role=\"live\"} 1.0");

    assertThat(scrape)
        .contains(
            "tidemark_object_sync_allowed_seconds{object_type=\"%s\"} 600.0".formatted(name),
            "tidemark_object_sync_delay_seconds{object_type=\"%s\"} 360".formatted(name),
            "tidemark_object_edits_waiting{object_type=\"%s\"} 0.0".formatted(name),
            "tidemark_objects{object_type=\"%s\"} 0.0".formatted(name));
  }

  // Over HTTP, to whoever may see every pipeline
  @Test
  void prometheusReadsThemOverHttpWithATokenForEverything() throws Exception {
    AccessSettings tokens =
        new AccessSettings(
            List.of(
                new AccessSettings.Entry("prometheus", "all", Grant.everywhere(Role.VIEW)),
                new AccessSettings.Entry("sales", "one", new Grant(Role.VIEW, Set.of("sales")))),
            null);
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (HttpServer server = HttpServer.bind(any)) {
      server.serve(
          Access.to(any.getAddress(), tokens, "me"),
          List.of(exposition.route()),
          thrown -> HttpFailure.invalid(null, String.valueOf(thrown)));
      HttpResponse<String> answer = get(server, "all");
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
          .startsWith("text/plain; version=0.0.4");
      assertThat(answer.body()).contains("jvm_memory_used_bytes");
      assertThat(get(server, "one").statusCode()).isEqualTo(403);
      assertThat(get(server, "none").statusCode()).isEqualTo(401);
    }
  }

  private static HttpResponse<String> get(HttpServer server, String token) throws Exception {
    URI metrics = URI.create("http://127.0.0.1:" + server.address().getPort() + "/metrics");
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(metrics).header("Authorization", "Bearer " + token).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private static void run(String sql) throws SQLException {
    try (Connection connection = TestServices.ledger().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private PipelineDefinition register() {
    PipelineDefinition definition =
        Pipeline.named(name)
            .daily(ZoneOffset.UTC)
            .from("2026-01-01")
            .until("2026-01-11")
            .task(context -> {})
            .build()
            .definition();
    new Definitions(TestServices.ledger()).register(definition, "test");
    return definition;
  }

  private TidemarkWorker start(PipelineDefinition definition, PartitionTask task) {
    return TidemarkWorker.start(
        TestServices.client(),
        TestServices.ledger(),
        new WorkerSetup(
            name,
            folder,
            Map.of(),
            new Defined(List.of(definition), List.of()),
            new Bindings(Map.of(name, task), Map.of()),
            Duration.ofSeconds(30),
            new Watching(exposition.metrics(), Map.of(), Map.of())));
  }

  /** Scrapes until the ledger's numbers have this line, and the one that is shown last. */
  private String ledgerNumbers(String line) throws InterruptedException {
    try (Watch watch =
        Watch.start(
            TestServices.ledger(),
            Set.of(name),
            new Watching(exposition.metrics(), Map.of("ops", (id, message) -> {}), Map.of()),
            QUICK)) {
      assertThat(watch).isNotNull();
      String scrape = exposition.scrape();
      String last = "tidemark_sweep_interval_seconds{pipeline=\"%s\"} 900.0".formatted(name);
      while (!scrape.contains(line.formatted(name)) || !scrape.contains(last)) {
        TimeUnit.MILLISECONDS.sleep(20);
        scrape = exposition.scrape();
      }
      // That one may have begun before some were shown.
      return exposition.scrape();
    }
  }

  private int series(String scrape) {
    return (int)
        scrape
            .lines()
            .filter(line -> line.startsWith("tidemark_") && line.contains("\"" + name + "\""))
            .count();
  }

  private static Set<String> families(Pattern pattern, String text) {
    Set<String> names = new TreeSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }
}
