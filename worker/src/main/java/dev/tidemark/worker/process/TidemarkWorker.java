package dev.tidemark.worker.process;

import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.worker.alert.Watch;
import dev.tidemark.worker.metrics.Metrics;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import io.temporal.client.WorkflowClient;
import io.temporal.common.VersioningBehavior;
import io.temporal.common.WorkerDeploymentVersion;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerDeploymentOptions;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A worker of Tidemark's own, started: it polls one task queue until it is closed. */
public final class TidemarkWorker implements AutoCloseable {
  /** A lane may have this many partitions in flight. */
  private static final int MAX_ACTIVITIES = 500;

  /**
   * A claim starts many partitions at once; those for which nobody waits at that moment go through
   * the server's database.
   */
  private static final int WAITING_FOR_ACTIVITIES = 20;

  /** To settle what was ended when the grace was over. */
  private static final Duration HAND_OVER = Duration.ofSeconds(5);

  /**
   * A poll that is under way is answered within that where there is work; one that is cut off just
   * then would leave its task to a timeout.
   */
  private static final Duration ANSWERED = Duration.ofMillis(200);

  /**
   * A process that has just started loads classes in its first workflow tasks; on a busy machine
   * that takes longer than the second after which the SDK takes it for a deadlock.
   */
  private static final long DEADLOCKED_MILLIS = 10_000;

  private final WorkerFactory factory;
  private final WorkerActivities activities;
  private final ConnectionPools pools;
  private final Watch watch;
  private final Duration grace;

  private TidemarkWorker(
      WorkerFactory factory,
      WorkerActivities activities,
      ConnectionPools pools,
      Watch watch,
      Duration grace) {
    this.factory = factory;
    this.activities = activities;
    this.pools = pools;
    this.watch = watch;
    this.grace = grace;
  }

  /** Registers workflows and activities on the task queue, and starts to poll it. */
  public static TidemarkWorker start(WorkflowClient client, DataSource ledger, WorkerSetup setup) {
    return start(client, ledger, setup, null);
  }

  /**
   * The same, as a version of a worker deployment: it gets nothing until somebody has made that the
   * current one.
   *
   * @param version null for none
   */
  public static TidemarkWorker start(
      WorkflowClient client,
      DataSource ledger,
      WorkerSetup setup,
      @Nullable WorkerDeploymentVersion version) {
    Drift.warn(new Definitions(ledger), setup.configured());
    Metrics metrics = setup.watching().metrics();
    metrics.watch(ledger);
    ConnectionPools pools = ConnectionPools.of(setup.connections(), metrics);
    WorkerActivities activities =
        WorkerActivities.of(
            ledger,
            setup.baseFolder(),
            pools.connections(),
            setup.defined(),
            setup.bindings(),
            new WorkerActivities.Host(client.getOptions().getIdentity(), metrics));
    WorkerFactory factory =
        WorkerFactory.newInstance(
            client,
            WorkerFactoryOptions.newBuilder().setWorkerInterceptors(metrics.sweeps()).build());
    Worker worker = factory.newWorker(setup.taskQueue(), options(version));
    activities.registerOn(worker);
    factory.start();
    Set<String> own =
        setup.configured().stream().map(PipelineDefinition::name).collect(Collectors.toSet());
    Watch watch = Watch.start(ledger, own, setup.watching(), Watch.Rhythm.DEFAULT);
    return new TidemarkWorker(factory, activities, pools, watch, setup.grace());
  }

  private static WorkerOptions options(@Nullable WorkerDeploymentVersion version) {
    WorkerOptions.Builder options =
        WorkerOptions.newBuilder()
            .setMaxConcurrentActivityExecutionSize(MAX_ACTIVITIES)
            .setMaxConcurrentActivityTaskPollers(WAITING_FOR_ACTIVITIES)
            .setDefaultDeadlockDetectionTimeout(DEADLOCKED_MILLIS)
            // A partition in flight may finish: its claim is kept while it does.
            .setAllowActivityHeartbeatDuringShutdown(true);
    if (version != null) {
      options.setDeploymentOptions(
          WorkerDeploymentOptions.newBuilder()
              .setUseVersioning(true)
              .setVersion(version)
              // Workflow code replays what older versions began: nothing needs to stay behind. Not
              // said by an annotation, which workers without a version must not have.
              .setDefaultVersioningBehavior(VersioningBehavior.AUTO_UPGRADE)
              .build());
    }
    return options.build();
  }

  /**
   * Takes no more work; partitions in flight finish within the grace, the rest is given back for
   * another worker, with nothing spent.
   */
  @Override
  public void close() {
    factory.suspendPolling();
    terminates(ANSWERED);
    factory.shutdown();
    if (!terminates(grace)) {
      activities.close();
      if (!terminates(HAND_OVER)) {
        factory.shutdownNow();
        terminates(HAND_OVER);
      }
    }
    activities.close();
    watch.close();
    pools.close();
  }

  private boolean terminates(Duration within) {
    factory.awaitTermination(within.toMillis(), TimeUnit.MILLISECONDS);
    return factory.isTerminated();
  }
}
