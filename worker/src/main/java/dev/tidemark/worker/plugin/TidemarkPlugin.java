package dev.tidemark.worker.plugin;

import dev.tidemark.activities.account.AccountKey;
import dev.tidemark.activities.alert.Channel;
import dev.tidemark.activities.alert.Routing;
import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.connection.BucketLocation;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.inputs.ChangeDetector;
import dev.tidemark.activities.ledger.database.LedgerSchema;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.worker.access.UnsafeAddressException;
import dev.tidemark.worker.alert.Watch;
import dev.tidemark.worker.alert.Watching;
import dev.tidemark.worker.configuration.Configuration.Defined;
import dev.tidemark.worker.configuration.PageSettings;
import dev.tidemark.worker.configuration.TemporalSettings;
import dev.tidemark.worker.definition.DependencyRules;
import dev.tidemark.worker.definition.OutputLocations;
import dev.tidemark.worker.metrics.Metrics;
import dev.tidemark.worker.page.PageServer;
import dev.tidemark.worker.process.Bindings;
import dev.tidemark.worker.process.PipelineSchedules;
import dev.tidemark.worker.process.WorkerActivities;
import dev.tidemark.worker.process.WorkerSetup;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import io.micrometer.core.instrument.MeterRegistry;
import io.temporal.client.WorkflowClient;
import io.temporal.common.SimplePlugin;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Tidemark in an application's own worker. Install it once, on the client:
 *
 * <pre>{@code
 * WorkflowClientOptions.newBuilder().setPlugins(tidemark).build()
 * }</pre>
 *
 * <p>The SDK hands a client's plugin every worker of that client. This one registers its workflows
 * and activities on workers of its own task queue and leaves all others alone, and it changes
 * neither the client's data converter nor any other setting of the application.
 */
public final class TidemarkPlugin extends SimplePlugin {
  private static final String NAME = "dev.tidemark.tidemark";

  private final DataSource ledger;
  private final Connections connections;
  private final WorkerSetup setup;
  private final Map<Worker, WorkerActivities> running = new ConcurrentHashMap<>();
  private final Map<Worker, Watch> watches = new ConcurrentHashMap<>();

  private TidemarkPlugin(Builder builder, DataSource ledger, Watching watching) {
    super(SimplePlugin.newBuilder(NAME).addWorkerInterceptors(watching.metrics().sweeps()));
    this.ledger = ledger;
    this.connections =
        new Connections(builder.databases, builder.buckets, Map.of(), builder.accountKeys());
    this.setup =
        new WorkerSetup(
            builder.taskQueue,
            builder.baseFolder,
            Map.of(),
            new Defined(
                builder.pipelines.values().stream().map(Pipeline::definition).toList(), List.of()),
            builder.bindings(),
            builder.grace,
            watching);
  }

  private WorkerActivities activities() {
    return WorkerActivities.of(
        ledger,
        setup.baseFolder(),
        connections,
        setup.defined(),
        setup.bindings(),
        new WorkerActivities.Host(
            "process " + ProcessHandle.current().pid(), setup.watching().metrics()));
  }

  public static Builder newBuilder() {
    return new Builder();
  }

  /**
   * Creates or upgrades the ledger's schema, as {@code tidemark migrate} does. Not done by itself:
   * an application may not be allowed to.
   */
  public void migrate() {
    LedgerSchema.migrate(ledger);
  }

  /**
   * Registers the definitions and their Temporal Schedules or cron workflows, as {@code tidemark
   * apply} does.
   *
   * @throws dev.tidemark.activities.ledger.database.LedgerRefusal if a definition may not change
   *     that way
   */
  public void apply(WorkflowClient client) {
    Definitions registry = new Definitions(ledger);
    PipelineSchedules schedules = new PipelineSchedules(client, setup.taskQueue());
    for (PipelineDefinition definition : setup.defined().pipelines()) {
      schedules.apply(registry.register(definition, client.getOptions().getIdentity()).pipeline());
    }
  }

  /**
   * Serves the page and its API until it is closed: of all that is registered in the ledger. Health
   * and metrics are the application's own.
   *
   * @param client asks for work on this plugin's task queue
   * @param settings where, and to whom
   * @throws UnsafeAddressException if others can reach the address and nothing keeps them out
   * @throws IOException if the address is not of this machine, or the port is taken
   */
  public PageServer servePage(WorkflowClient client, PageSettings settings)
      throws IOException, UnsafeAddressException {
    return new PluginPage(ledger, connections, setup).serve(client, settings);
  }

  @Override
  public void configureWorker(String queue, WorkerOptions.Builder options) {
    super.configureWorker(queue, options);
    if (queue.equals(setup.taskQueue())) {
      // A partition in flight may finish after a shutdown began: its claim is kept while it does.
      options.setAllowActivityHeartbeatDuringShutdown(true);
    }
  }

  @Override
  public void initializeWorker(String queue, Worker worker) {
    super.initializeWorker(queue, worker);
    if (queue.equals(setup.taskQueue())) {
      running.computeIfAbsent(worker, key -> activities()).registerOn(worker);
    }
  }

  @Override
  public void startWorker(String queue, Worker worker, BiConsumer<String, Worker> next) {
    super.startWorker(queue, worker, next);
    if (queue.equals(setup.taskQueue())) {
      Set<String> own =
          setup.defined().pipelines().stream()
              .map(PipelineDefinition::name)
              .collect(Collectors.toSet());
      watches.computeIfAbsent(
          worker, key -> Watch.start(ledger, own, setup.watching(), Watch.Rhythm.DEFAULT));
    }
  }

  /** Partitions in flight finish within the grace; the rest is given back, with nothing spent. */
  @Override
  public void shutdownWorkerFactory(WorkerFactory factory, Consumer<WorkerFactory> next) {
    super.shutdownWorkerFactory(factory, next);
    @Nullable Worker ours = factory.tryGetWorker(setup.taskQueue());
    @Nullable WorkerActivities ending = ours == null ? null : running.remove(ours);
    @Nullable Watch watch = ours == null ? null : watches.remove(ours);
    if (watch != null) {
      watch.close();
    }
    if (ending != null) {
      // The application waits for the factory as it likes, or not at all.
      Thread thread =
          new Thread(
              () -> {
                factory.awaitTermination(setup.grace().toMillis(), TimeUnit.MILLISECONDS);
                ending.close();
              },
              "tidemark-grace");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** What the plugin is made of. */
  public static final class Builder {
    private final Map<String, Pipeline> pipelines = new LinkedHashMap<>();
    private final Map<String, DataSource> databases = new LinkedHashMap<>();
    private final Map<String, Bucket> buckets = new LinkedHashMap<>();
    private final Map<String, Channel> channels = new LinkedHashMap<>();
    private final Map<String, Channel> failureChannels = new LinkedHashMap<>();
    private @Nullable MeterRegistry registry;
    private @Nullable DataSource ledger;
    private String taskQueue = TemporalSettings.DEFAULT_TASK_QUEUE;
    private Path baseFolder = Path.of("").toAbsolutePath();
    private Duration grace = WorkerSetup.DEFAULT_GRACE;

    private Builder() {}

    /** The PostgreSQL with the ledger; its pool stays the application's. Required. */
    public Builder setLedger(DataSource dataSource) {
      this.ledger = dataSource;
      return this;
    }

    /**
     * A pipeline to run.
     *
     * @throws IllegalArgumentException if there is one of that name already
     */
    public Builder addPipeline(Pipeline pipeline) {
      if (pipelines.putIfAbsent(pipeline.name(), pipeline) != null) {
        throw new IllegalArgumentException(
            "two pipelines are named '" + pipeline.name() + "'; names must differ");
      }
      return this;
    }

    /**
     * A database that pipelines name as a connection; its pool stays the application's. At most
     * {@link Connections#TASKS_AT_ONCE} tasks of this process use it at once.
     */
    public Builder addConnection(String name, DataSource database) {
      databases.put(name, database);
      return this;
    }

    /**
     * A bucket that pipelines name as a connection: outputs go to {@code connection:<name>/prefix}.
     * The application closes it, after the worker.
     */
    public Builder addBucket(String name, Bucket bucket) {
      buckets.put(name, bucket);
      return this;
    }

    /** The task queue whose workers run the pipelines; {@code tidemark} by default. */
    public Builder setTaskQueue(String queue) {
      this.taskQueue = queue;
      return this;
    }

    /** What relative paths of pipelines are relative to; the working directory by default. */
    public Builder setBaseFolder(Path folder) {
      this.baseFolder = folder;
      return this;
    }

    /** How long partitions in flight may go on after a shutdown began; 30 seconds by default. */
    public Builder setGrace(Duration duration) {
      this.grace = duration;
      return this;
    }

    /** Where the worker counts what it does; nowhere by default. */
    public Builder setMeterRegistry(MeterRegistry meters) {
      this.registry = meters;
      return this;
    }

    /**
     * Who is told of what is overdue and of what is parked, and of both when it is over.
     *
     * @param name by which the ledger knows it; the same on every worker
     */
    public Builder addChannel(String name, Channel channel) {
      channels.put(name, channel);
      return this;
    }

    /**
     * Who is told of every partition that fails, of what is parked, and of both when it is over.
     *
     * @param name of a channel that is not told of what is overdue
     */
    public Builder addFailureChannel(String name, Channel channel) {
      failureChannels.put(name, channel);
      return this;
    }

    private Watching watching() {
      Map<String, Channel> all = new LinkedHashMap<>(channels);
      all.putAll(failureChannels);
      Routing everything =
          new Routing(List.copyOf(channels.keySet()), List.copyOf(failureChannels.keySet()));
      Map<String, Routing> routes = new LinkedHashMap<>();
      pipelines.keySet().forEach(name -> routes.put(name, everything));
      return new Watching(registry == null ? Metrics.none() : new Metrics(registry), all, routes);
    }

    /**
     * Builds the plugin; connects to nothing.
     *
     * @throws IllegalStateException without a ledger
     * @throws IllegalArgumentException if pipelines do not fit together that read each other, or an
     *     output is on a bucket that was not added
     */
    public TidemarkPlugin build() {
      if (ledger == null) {
        throw new IllegalStateException("setLedger is missing: Tidemark keeps its state there");
      }
      List<PipelineDefinition> definitions =
          pipelines.values().stream().map(Pipeline::definition).toList();
      DependencyRules rules = new DependencyRules(definitions, pipelines.keySet());
      List<String> broken =
          definitions.stream()
              .flatMap(
                  pipeline ->
                      Stream.concat(rules.violations(pipeline).stream(), missingBuckets(pipeline))
                          .map(violation -> "pipeline '" + pipeline.name() + "': " + violation))
              .toList();
      if (!broken.isEmpty()) {
        throw new IllegalArgumentException(String.join("\n", broken));
      }
      return new TidemarkPlugin(this, ledger, watching());
    }

    private Stream<String> missingBuckets(PipelineDefinition pipeline) {
      if (pipeline.output() == null) {
        return Stream.empty();
      }
      return OutputLocations.of(pipeline.output().location(), pipeline.extent().slices()).stream()
          .flatMap(location -> BucketLocation.of(location).stream())
          .map(BucketLocation::connection)
          .distinct()
          .filter(name -> !buckets.containsKey(name))
          .map(
              name ->
                  "output.location: '"
                      + name
                      + "' is not a bucket of addBucket; there are "
                      + buckets.keySet());
    }

    private Map<String, AccountKey> accountKeys() {
      Map<String, AccountKey> keys = new HashMap<>();
      pipelines.values().stream()
          .flatMap(pipeline -> pipeline.accountKey().stream())
          .forEach(key -> keys.put(key.check(), key));
      return keys;
    }

    private Bindings bindings() {
      Map<String, PartitionTask> tasks = new LinkedHashMap<>();
      Map<String, ChangeDetector> detectors = new LinkedHashMap<>();
      pipelines.forEach(
          (name, pipeline) -> {
            pipeline.task().ifPresent(task -> tasks.put(name, task));
            pipeline.detector().ifPresent(detector -> detectors.put(name, detector));
          });
      return new Bindings(tasks, detectors);
    }
  }
}
