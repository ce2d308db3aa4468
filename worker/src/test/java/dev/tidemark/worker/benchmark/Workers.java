package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.worker.process.Bindings;
import dev.tidemark.worker.process.TidemarkWorker;
import dev.tidemark.worker.process.WorkerSetup;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The worker under test and the one beside it, both with tasks that do nothing. */
final class Workers {
  static final String QUEUE = "tidemark";
  static final PartitionTask NOTHING = context -> {};
  private static final String BARE_QUEUE = "bare";

  /** As many as a worker of Tidemark has. */
  private static final int SLOTS = 500;

  private static final int POLLERS = 20;

  private Workers() {}

  static TidemarkWorker tidemark(Services services, List<Pipeline> pipelines) {
    Map<String, PartitionTask> tasks =
        pipelines.stream()
            .collect(
                Collectors.toMap(Pipeline::name, (Function<Pipeline, PartitionTask>) p -> NOTHING));
    return TidemarkWorker.start(
        services.client(),
        services.ledger(),
        new WorkerSetup(
            QUEUE,
            Path.of("").toAbsolutePath(),
            Map.of(),
            pipelines.stream().map(Pipeline::definition).toList(),
            new Bindings(tasks, Map.of()),
            Duration.ofSeconds(5)));
  }

  static BareFanOut bareFanOut(WorkflowClient client) {
    return client.newWorkflowStub(
        BareFanOut.class, WorkflowOptions.newBuilder().setTaskQueue(BARE_QUEUE).build());
  }

  static WorkerFactory bare(WorkflowClient client) {
    WorkerFactory factory = WorkerFactory.newInstance(client);
    var worker =
        factory.newWorker(
            BARE_QUEUE,
            WorkerOptions.newBuilder()
                .setMaxConcurrentActivityExecutionSize(SLOTS)
                .setMaxConcurrentActivityTaskPollers(POLLERS)
                .build());
    worker.registerWorkflowImplementationTypes(BareFanOut.Impl.class);
    worker.registerActivitiesImplementations((BareFanOut.Nothing) () -> {});
    factory.start();
    return factory;
  }
}
