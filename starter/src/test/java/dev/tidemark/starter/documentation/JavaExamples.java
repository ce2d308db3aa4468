package dev.tidemark.starter.documentation;

import static dev.tidemark.workflows.pipeline.Integration.Strategy.CURRENT_FIRST;

import dev.tidemark.activities.inputs.ChangeDetector;
import dev.tidemark.activities.publish.OutputReader;
import dev.tidemark.activities.publish.PublishedOutput;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.worker.access.AccessSettings;
import dev.tidemark.worker.configuration.PageSettings;
import dev.tidemark.worker.page.PageServer;
import dev.tidemark.worker.plugin.Input;
import dev.tidemark.worker.plugin.LateData;
import dev.tidemark.worker.plugin.Output;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.worker.plugin.TidemarkPlugin;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.worker.WorkerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** The Java of README.md and docs/java.md, which {@code DocsTest} looks for here. */
final class JavaExamples {
  private JavaExamples() {}

  /** README.md. */
  static WorkflowClient readme(
      DataSource dataSource,
      ChangeDetector detector,
      PartitionTask salesTask,
      String location,
      WorkflowServiceStubs stubs) {
    TidemarkPlugin tidemark =
        TidemarkPlugin.newBuilder()
            .setLedger(dataSource)
            .addPipeline(
                Pipeline.named("daily-sales")
                    .daily(ZoneId.of("Europe/Istanbul"))
                    .from("2026-01-01")
                    .closesAfter(Duration.ofHours(1))
                    .input(detector)
                    .lateData(LateData.accept(Period.ofDays(60)).strategy(CURRENT_FIRST))
                    .task(salesTask)
                    .output(Output.hive(location))
                    .build())
            .build();
    WorkflowClient client =
        WorkflowClient.newInstance(
            stubs, WorkflowClientOptions.newBuilder().setPlugins(tidemark).build());
    tidemark.apply(client);
    return client;
  }

  static Optional<Long> read(Pipeline sales, Stores stores) throws IOException {
    OutputReader reader = new OutputReader(sales.definition(), stores);
    Window day = sales.definition().extent().partitions().parse("2026-03-05");
    Optional<Long> bytes =
        reader.read(
            day,
            Slice.EMPTY,
            output -> {
              long sum = 0;
              for (PublishedOutput.File file : output.files()) {
                sum += Files.size(Path.of(file.address()));
              }
              return sum;
            });
    return bytes;
  }

  static void plugin(DataSource ledger, DataSource shop, WorkflowServiceStubs stubs) {
    TidemarkPlugin tidemark =
        TidemarkPlugin.newBuilder()
            .setLedger(ledger)
            .setTaskQueue("reports")
            .addConnection("shop", shop)
            .addPipeline(
                Pipeline.named("orders-by-unit")
                    .hourly(ZoneId.of("America/New_York"))
                    .from("2026-01-01")
                    .slices(Map.of("unit", List.of("seattle", "istanbul")))
                    .input(Input.files("input/{slice.unit}/{partition}.csv"))
                    .lookback(2)
                    .task(new CountLines(), Duration.ofMinutes(10))
                    .output(Output.hive("out"))
                    .build())
            .build();
    WorkflowClient client =
        WorkflowClient.newInstance(
            stubs, WorkflowClientOptions.newBuilder().setPlugins(tidemark).build());
    tidemark.migrate();
    tidemark.apply(client);
    WorkerFactory factory = WorkerFactory.newInstance(client);
    factory.newWorker("reports");
    factory.start();
  }

  static PageServer page(TidemarkPlugin tidemark, WorkflowClient client) throws Exception {
    PageSettings settings = new PageSettings("127.0.0.1", 8080, AccessSettings.NONE, null);
    PageServer page = tidemark.servePage(client, settings);
    System.out.println("Tidemark's page: " + page.url());
    return page;
  }

  static ChangeDetector over(Catalogue catalogue) {
    return (range, found) -> {
      for (Catalogue.Entry entry : catalogue.between(range.from(), range.to())) {
        found.accept(new ChangeDetector.Found(entry.day(), Slice.EMPTY, entry.etag()));
      }
    };
  }

  static BackfillView request(WorkflowClient client) {
    TidemarkClient requests = new TidemarkClient(client, "reports");
    BackfillView backfill =
        requests.requestBackfill(
            "orders-by-unit",
            new BackfillRequest(
                "new-rates-2026-03", // makes asking twice the same as asking once
                "2026-03-01T00",
                "2026-03-31T23",
                Map.of("unit", "istanbul"),
                BackfillRequest.Mode.ALL,
                BackfillRequest.Order.OLDEST,
                5,
                "new exchange rates",
                null,
                "accounting",
                null));
    return backfill;
  }

  /** A storage technology of the reader's own. */
  interface Catalogue {
    List<Entry> between(Instant from, Instant to);

    /** A day's data, whose tag changes with its content. */
    record Entry(String day, String etag) {}
  }
}
