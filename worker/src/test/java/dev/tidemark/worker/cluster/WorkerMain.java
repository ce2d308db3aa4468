package dev.tidemark.worker.cluster;

import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.configuration.LedgerSettings;
import dev.tidemark.worker.configuration.TemporalSettings;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.worker.process.Bindings;
import dev.tidemark.worker.process.TidemarkWorker;
import dev.tidemark.worker.process.WorkerSetup;
import io.temporal.common.WorkerDeploymentVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** What {@code tidemark worker} does, with a task in Java that makes nothing. */
final class WorkerMain {
  private WorkerMain() {}

  /**
   * Says when it has started, and ends when its input does: also when the test that started it is
   * killed.
   *
   * @param args Temporal's address, the ledger's URL, the pipeline's name, its days, how many
   *     partitions it runs before it gets stuck in every further one, and its build, if not empty
   */
  public static void main(String[] args) throws Exception {
    ManyDays days = new ManyDays(args[2], Integer.parseInt(args[3]));
    Pipeline pipeline = days.pipeline(stuckAfter(Integer.parseInt(args[4])));
    Configuration configuration =
        new Configuration(
            Path.of("tidemark.yaml").toAbsolutePath(),
            new TemporalSettings(
                args[0],
                "default",
                days.name(),
                false,
                args[5].isEmpty() ? null : new WorkerDeploymentVersion(days.name(), args[5])),
            new LedgerSettings(args[1], null, null),
            Map.of(),
            List.of(pipeline.definition()));
    try (Services services =
        Services.open(configuration, Services.Need.LEDGER_AND_TEMPORAL, WorkerMain::tell)) {
      services.closeFirst(
          TidemarkWorker.start(
              services.client(),
              services.ledger(),
              options(configuration, pipeline),
              configuration.temporal().version()));
      System.out.println(WorkerProcess.STARTED);
      awaitEndOfInput();
    }
  }

  private static WorkerSetup options(Configuration configuration, Pipeline pipeline) {
    return new WorkerSetup(
        configuration.temporal().taskQueue(),
        configuration.folder(),
        configuration.connections(),
        configuration.pipelines(),
        new Bindings(Map.of(pipeline.name(), pipeline.task().orElseThrow()), Map.of()),
        Duration.ofSeconds(5));
  }

  private static PartitionTask stuckAfter(int partitions) {
    AtomicInteger begun = new AtomicInteger();
    return context -> {
      if (begun.incrementAndGet() > partitions) {
        new CountDownLatch(1).await();
      }
    };
  }

  private static void tell(String notice) {
    System.err.println(notice);
  }

  private static void awaitEndOfInput() throws IOException {
    while (System.in.read() >= 0) {
      // Nothing is ever said.
    }
  }
}
