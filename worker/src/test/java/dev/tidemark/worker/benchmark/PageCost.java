package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.index.serve.ObjectReader;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.worker.access.AccessSettings;
import dev.tidemark.worker.configuration.PageSettings;
import dev.tidemark.worker.objects.ObjectAccess;
import dev.tidemark.worker.page.Page;
import dev.tidemark.worker.page.PageServer;
import dev.tidemark.worker.page.PageSetup;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.worker.process.Bindings;
import dev.tidemark.worker.process.WorkerSetup;
import dev.tidemark.workflows.client.ObjectsClient;
import dev.tidemark.workflows.client.TidemarkClient;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** What the page asks of a ledger of 100,000 partitions: ten years of hours, and 31 slices. */
final class PageCost {
  private static final int HOURS = 87_600;
  private static final int DAYS = 400;
  private static final int SLICES = 31;
  private static final int WARM_UP = 5;

  private final HttpClient http = HttpClient.newHttpClient();
  private final String url;
  private final int samples;

  private PageCost(String url, int samples) {
    this.url = url;
    this.samples = samples;
  }

  static void run(DataSource ledger, int samples) throws Exception {
    List<String> units = IntStream.range(0, SLICES).mapToObj("unit-%02d"::formatted).toList();
    RegisteredPipeline hours =
        registered(
            ledger,
            Pipeline.named("page-hours")
                .hourly(ZoneOffset.UTC)
                .from("2016-01-01T00")
                .until("2025-12-29T00")
                .task(context -> {})
                .build());
    RegisteredPipeline slices =
        registered(
            ledger,
            Pipeline.named("page-slices")
                .daily(ZoneOffset.UTC)
                .from("2024-01-01")
                .until("2025-02-04")
                .slices(Map.of("unit", units))
                .task(context -> {})
                .build());
    Database database = new Database(ledger);
    int rows =
        database.transaction(
            connection ->
                fill(connection, hours, "hour", HOURS, List.of(""))
                    + fill(
                        connection,
                        slices,
                        "day",
                        DAYS,
                        units.stream().map(unit -> "unit=" + unit).toList()));
    database.roundTrip(PageCost::vacuum);
    try (PageServer server = serve(ledger)) {
      PageCost cost = new PageCost(server.url(), samples);
      cost.report("overview of %,d partitions (below 300 ms)".formatted(rows), "/api/overview");
      String calendar = "/api/pipelines/" + hours.name() + "/calendar";
      String decade = "calendar, %,d hours by ".formatted(HOURS);
      cost.report(decade + "month (below 500 ms)", calendar);
      cost.report(decade + "day (below 500 ms)", calendar + "?by=day");
      cost.report("calendar, one year of hours by day (below 500 ms)", calendar + "?within=2024");
      cost.report(
          "slices, %d of %,d days (below 500 ms)".formatted(SLICES, DAYS),
          "/api/pipelines/" + slices.name() + "/slices");
    }
  }

  /** With a client of Temporal that is never used: what is measured only reads the ledger. */
  private static PageServer serve(DataSource ledger) throws Exception {
    WorkflowServiceStubs stubs =
        WorkflowServiceStubs.newServiceStubs(
            WorkflowServiceStubsOptions.newBuilder().setTarget("127.0.0.1:1").build());
    WorkerSetup worker =
        new WorkerSetup(
            "none",
            Path.of("").toAbsolutePath(),
            Map.of(),
            List.of(),
            Bindings.NONE,
            Duration.ZERO);
    PageSetup setup =
        new PageSetup(
            ledger,
            new TidemarkClient(WorkflowClient.newInstance(stubs), worker.taskQueue()),
            worker,
            new Connections(Map.of(), Map.of()),
            objects(ledger, worker, stubs),
            "default",
            null);
    PageSettings settings = new PageSettings("127.0.0.1", 0, AccessSettings.NONE, null);
    return PageServer.start(settings, "benchmark", Page.of(setup).routes());
  }

  private static ObjectAccess objects(
      DataSource ledger, WorkerSetup worker, WorkflowServiceStubs stubs) {
    Stores none =
        location -> {
          throw new IllegalArgumentException(location);
        };
    return new ObjectAccess(
        ObjectReader.open(ledger, none, "benchmark", type -> false),
        new ObjectsClient(WorkflowClient.newInstance(stubs), worker.taskQueue()));
  }

  private static RegisteredPipeline registered(DataSource ledger, Pipeline declared) {
    return new Definitions(ledger).register(declared.definition(), "benchmark").pipeline();
  }

  // A few of each kind, so that nothing is counted by an index alone.
  private static final Sql FILL =
      Sql.of(
          """
          insert into tidemark.partition_ledger
                 (pipeline_id, slice, partition, window_start, window_end, committed_token, committed_at,
                  processed_version, input_version, rows, bytes, parked_at, failed_claims, last_error)
          select :pipeline, slice,
                 to_char(t at time zone 'UTC', case :every when 'hour' then 'YYYY-MM-DD"T"HH24' else 'YYYY-MM-DD' end),
                 t, t + cast('1 ' || :every as interval),
                 case when n % 50 = 0 then null else n end, case when n % 50 = 0 then null else t end,
                 case when n % 50 = 0 then null else '1' end, case when n % 97 = 0 then '2' else '1' end,
                 1000, 100000,
                 case when n % 1000 = 0 then t end, case when n % 1000 = 0 then 1 else 0 end,
                 case when n % 1000 = 0 then 'connection refused by host ' || n end
            from unnest(:slices::text[]) as slice,
                 generate_series(1, :windows) as n,
                 lateral (select :start::timestamptz + cast((n - 1) || ' ' || :every as interval) as t) as at
          """);

  private static int fill(
      Connection connection,
      RegisteredPipeline pipeline,
      String every,
      int windows,
      List<String> slices)
      throws SQLException {
    return FILL.on(connection)
        .set("pipeline", pipeline.id())
        .set("every", every)
        .set("windows", windows)
        .set("slices", slices)
        .set("start", pipeline.definition().extent().partitions().first().start())
        .update();
  }

  private static boolean vacuum(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute("vacuum analyze tidemark.partition_ledger");
    }
  }

  /** From the request to the last byte of the answer. */
  private void report(String name, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url + path)).build();
    List<Double> milliseconds = new ArrayList<>();
    int bytes = 0;
    for (int i = -WARM_UP; i < samples; i++) {
      long began = System.nanoTime();
      HttpResponse<byte[]> answer = http.send(request, BodyHandlers.ofByteArray());
      if (answer.statusCode() != 200) {
        throw new IllegalStateException(path + ": " + answer.statusCode());
      }
      if (i >= 0) {
        milliseconds.add((System.nanoTime() - began) / 1e6);
      }
      bytes = answer.body().length;
    }
    double longest = milliseconds.stream().max(Double::compare).orElseThrow();
    Figures.figure(
        name, "%.0f ms, at most %.0f ms, %,d bytes", Figures.median(milliseconds), longest, bytes);
  }
}
