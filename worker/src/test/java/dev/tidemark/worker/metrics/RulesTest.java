package dev.tidemark.worker.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.inputs.ChangeDetector;
import dev.tidemark.activities.ledger.Interventions;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.task.BadDataException;
import dev.tidemark.worker.access.Access;
import dev.tidemark.worker.access.AccessSettings;
import dev.tidemark.worker.alert.Aging;
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
import dev.tidemark.workflows.partition.Slice;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Prometheus' rules: right by themselves, and evaluated by Prometheus on real scrapes. */
@Timeout(120)
class RulesTest {
  private static final Instant CLOSED = Instant.parse("2026-01-04T00:30:00Z");
  private static final int MINUTES = 20;

  @TempDir Path folder;
  private final String name = "p" + UUID.randomUUID().toString().substring(0, 8);
  private final Exposition exposition = new Exposition();
  private final HttpClient http = HttpClient.newHttpClient();
  private volatile boolean broken = true;
  private volatile boolean unreadable;

  // Which alert, when, and its end, on series made by hand
  @Test
  void theRulesPassTheirOwnTests() throws Exception {
    assertThat(Promtool.run(Promtool.RULES, "check", "rules", "tidemark.rules.yml"))
        .startsWith("0\n");
    assertThat(Promtool.run(Promtool.RULES, "check", "config", "prometheus.yml")).startsWith("0\n");
    assertThat(
            Promtool.run(
                Promtool.RULES, "check", "config", "--syntax-only", "../compose/prometheus.yml"))
        .startsWith("0\n");
    assertThat(Promtool.run(Promtool.RULES, "test", "rules", "tidemark.rules.test.yml"))
        .startsWith("0\n");
  }

  // c-M1: a day that is overdue, a parked partition, inputs that cannot be read, a worker that is
  // killed
  @Test
  void theAlertsFireAndRecoverOnRealScrapes() throws Exception {
    Pipeline pipeline = pipeline();
    RegisteredPipeline registered =
        new Definitions(TestServices.ledger()).register(pipeline.definition(), "test").pipeline();
    Aging.by(name, "2 hours");
    ScrapedSeries series = new ScrapedSeries(MINUTES);
    HttpServer server = serve();
    try (TidemarkWorker worker = start(pipeline)) {
      assertThat(worker).isNotNull();
      series.add(scrape(server, "overdue", 3));
      sweep("one");
      series.add(scrape(server, "overdue", 1));
      unreadable = true;
      sweep("two");
      series.add(scrape(server, "overdue", 1));
      unreadable = false;
      broken = false;
      new Interventions(TestServices.ledger())
          .retry(registered, List.of("2026-01-02"), Slice.EMPTY);
      sweep("three");
      series.add(scrape(server, "overdue", 0));
    }
    server.close();
    series.add(get(server));

    Path test = folder.resolve("scraped.yml");
    Files.writeString(
        test,
        series.test(
            Promtool.RULES.resolve("tidemark.rules.yml"),
            firing(10, "TidemarkStale")
                + firing(30, "TidemarkParked", "TidemarkStale")
                + firing(50, "TidemarkDetectorFailing", "TidemarkParked", "TidemarkStale")
                + firing(75)
                + firing(95, "TidemarkNoWorker", "TidemarkWorkerDown")));
    assertThat(Promtool.run(folder, "test", "rules", "scraped.yml")).startsWith("0\n");
  }

  /** Of this pipeline, or of none; the ledger is that of other tests too. */
  private String firing(int minute, String... alerts) {
    StringBuilder expected = new StringBuilder();
    expected.append(
        """
              - expr: >-
                  sum by (alertname) (ALERTS{alertstate="firing", pipeline=~"%s|",
                  alertname!~"TidemarkNotifications.*|TidemarkObject.*"})
                eval_time: %dm
                exp_samples:%s
        """
            .formatted(name, minute, alerts.length == 0 ? " []" : ""));
    for (String alert : alerts) {
      expected.append("          - {labels: '{alertname=\"%s\"}', value: 1}\n".formatted(alert));
    }
    return expected.toString();
  }

  private Pipeline pipeline() {
    return Pipeline.named(name)
        .daily(ZoneOffset.UTC)
        .from("2026-01-01")
        .until("2026-01-04")
        .freshWithin(Duration.ofHours(1))
        .input(this::scan)
        .task(
            context -> {
              if (broken && context.window().label().equals("2026-01-02")) {
                throw new BadDataException("no columns");
              }
            })
        .build();
  }

  private void scan(ChangeDetector.Range range, Consumer<ChangeDetector.Found> found)
      throws IOException {
    if (unreadable) {
      throw new IOException("no such bucket");
    }
    range
        .partitions()
        .windows(range.from(), range.to())
        .forEach(
            window -> found.accept(new ChangeDetector.Found(window.label(), Slice.EMPTY, "1")));
  }

  private TidemarkWorker start(Pipeline pipeline) {
    return TidemarkWorker.start(
        TestServices.client(),
        TestServices.ledger(),
        new WorkerSetup(
            name,
            folder,
            Map.of(),
            new Defined(List.of(pipeline.definition()), List.of()),
            new Bindings(
                Map.of(name, pipeline.task().orElseThrow()),
                Map.of(name, pipeline.detector().orElseThrow())),
            Duration.ofSeconds(30),
            watching()));
  }

  private Watching watching() {
    return new Watching(exposition.metrics(), Map.of(), Map.of());
  }

  private void sweep(String request) throws TimeoutException {
    TidemarkClient client = new TidemarkClient(TestServices.client(), name);
    client.awaitSweep(client.startSweep(name, CLOSED, request), Duration.ofSeconds(60));
  }

  private HttpServer serve() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpServer server = HttpServer.bind(any);
    server.serve(
        Access.to(any.getAddress(), AccessSettings.NONE, "me"),
        List.of(exposition.route()),
        thrown -> HttpFailure.invalid(null, String.valueOf(thrown)));
    return server;
  }

  /** Reads the metrics over HTTP until this one of the ledger's has this value. */
  private String scrape(HttpServer server, String metric, int value) throws Exception {
    String line = "tidemark_partitions_%s{pipeline=\"%s\"} %d.0".formatted(metric, name, value);
    try (Watch quick =
        Watch.start(
            TestServices.ledger(),
            Set.of(),
            watching(),
            new Watch.Rhythm(Duration.ofMillis(50), Duration.ofSeconds(1)))) {
      assertThat(quick).isNotNull();
      String scrape = "";
      // The second of two: while the first was read, the numbers may have been written over.
      for (int seen = 0; seen < 2; ) {
        TimeUnit.MILLISECONDS.sleep(20);
        scrape = get(server);
        boolean isIt = scrape.contains(line) && scrape.contains("tidemark_ledger_up 1.0");
        seen = isIt ? seen + 1 : 0;
      }
      return scrape;
    }
  }

  /** As Prometheus does: what was read, and whether it could be. */
  private String get(HttpServer server) throws InterruptedException {
    URI metrics = URI.create("http://127.0.0.1:" + server.address().getPort() + "/metrics");
    try {
      HttpResponse<String> answer =
          http.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() == 200 ? "up 1\n" + answer.body() : "up 0\n";
    } catch (IOException nobody) {
      return "up 0\n";
    }
  }
}
