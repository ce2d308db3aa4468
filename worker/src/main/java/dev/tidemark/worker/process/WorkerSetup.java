package dev.tidemark.worker.process;

import dev.tidemark.worker.alert.Channels;
import dev.tidemark.worker.alert.Watching;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.configuration.Configuration.Defined;
import dev.tidemark.worker.configuration.ConnectionSettings;
import dev.tidemark.worker.metrics.Metrics;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How a worker is set up.
 *
 * @param baseFolder relative paths of pipelines are relative to it
 * @param defined what this worker's configuration defines; where the registered definition differs,
 *     the worker says so and goes on with the registered one
 * @param grace how long a stop waits for partitions in flight
 * @param watching what it counts, and whom it tells
 */
public record WorkerSetup(
    String taskQueue,
    Path baseFolder,
    Map<String, ConnectionSettings> connections,
    Defined defined,
    Bindings bindings,
    Duration grace,
    Watching watching) {
  public static final Duration DEFAULT_GRACE = Duration.ofSeconds(30);

  public WorkerSetup {
    connections = Map.copyOf(connections);
  }

  /** The pipelines that it defines. */
  public List<PipelineDefinition> configured() {
    return defined.pipelines();
  }

  /** One that nobody watches: it neither counts nor tells. */
  public WorkerSetup(
      String taskQueue,
      Path baseFolder,
      Map<String, ConnectionSettings> connections,
      List<PipelineDefinition> configured,
      Bindings bindings,
      Duration grace) {
    this(
        taskQueue,
        baseFolder,
        connections,
        new Defined(configured, List.of()),
        bindings,
        grace,
        Watching.nothing());
  }

  /** What a configuration says, with the default grace; it counts where nobody looks. */
  public static WorkerSetup of(Configuration configuration) {
    return of(configuration, Metrics.none());
  }

  /**
   * The same.
   *
   * @param metrics where the worker counts what it does
   */
  public static WorkerSetup of(Configuration configuration, Metrics metrics) {
    return new WorkerSetup(
        configuration.temporal().taskQueue(),
        configuration.folder(),
        configuration.connections(),
        configuration.defined(),
        Bindings.NONE,
        DEFAULT_GRACE,
        new Watching(
            metrics,
            Channels.of(configuration.notices().channels(), configuration.folder()),
            configuration.notices().routes()));
  }
}
