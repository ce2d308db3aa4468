package dev.tidemark.worker.benchmark;

import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.configuration.TemporalSettings;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.worker.embedded.Services.Need;
import dev.tidemark.worker.embedded.ServicesRequest;
import dev.tidemark.worker.embedded.ServicesRequest.Schema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The main class of {@code deploy/benchmark}: a real Temporal server and a real PostgreSQL, started
 * for it and ended with it. Product and baseline run in turn, so that their ratio means something
 * on a busy machine too. See docs/performance.md.
 */
public final class Benchmark {
  private Benchmark() {}

  /** Prints one line per figure. */
  public static void main(String[] args) throws Exception {
    BenchmarkOptions options = BenchmarkOptions.parse(args);
    Path folder = Files.createTempDirectory("tidemark-benchmark");
    boolean temporal = options.has("path") || options.has("chain") || options.has("wake");
    Need need = temporal ? Need.LEDGER_AND_TEMPORAL : Need.LEDGER;
    ServicesRequest request = new ServicesRequest(need, Schema.REQUIRED, true, null);
    try (PeakHeap heap = PeakHeap.watch()) {
      try (Services services = Services.open(services(folder), request, Figures::note)) {
        measure(services, folder, options);
      } finally {
        Folders.remove(folder);
      }
      Figures.figure(
          "heap used at most",
          "%d MB of %d MB",
          heap.megabytes(),
          Runtime.getRuntime().maxMemory() >> 20);
    }
    // The thread pools of the SDK would keep the process for a minute.
    System.exit(0);
  }

  private static void measure(Services services, Path folder, BenchmarkOptions options)
      throws Exception {
    if (options.has("path")) {
      WholePath.run(services, options);
    }
    if (options.has("chain")) {
      ChainedPath.run(services, options.rounds());
    }
    if (options.has("wake")) {
      WakeLatency.run(services, options.samples());
    }
    if (options.has("planning")) {
      PlanningCost.run(services.ledger());
    }
    if (options.has("publish")) {
      PublishCost.run(services.ledger(), folder, options.publications());
    }
    if (options.has("claim")) {
      ClaimCost.run(services.ledger(), options);
    }
    if (options.has("outputs")) {
      OutputsCost.run(services.ledger(), options.outputs(), options.samples());
    }
    if (options.has("export")) {
      ExportCost.run(services.ledger(), folder, options.exports(), options.rounds());
    }
    if (options.has("heap")) {
      ExportHeap.run(services.ledger(), folder, options.exports());
    }
    if (options.has("page")) {
      PageCost.run(services.ledger(), options.samples());
    }
    if (options.has("objects")) {
      ObjectsCost.run(folder, options.objects().indexed(), options.rounds());
    }
    if (options.has("queries")) {
      QueryCost.run(services.ledger(), folder, options.objects().queried(), options.rounds());
    }
  }

  private static Configuration services(Path folder) {
    return new Configuration(
        folder.resolve("tidemark.yaml"),
        new TemporalSettings(null, null, "tidemark"),
        null,
        Map.of(),
        List.of());
  }
}
