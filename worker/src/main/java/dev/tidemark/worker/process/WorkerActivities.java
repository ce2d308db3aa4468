package dev.tidemark.worker.process;

import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.index.build.IndexService;
import dev.tidemark.activities.index.ledger.ObjectTypes;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.WakeFlags;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.activities.publish.Publisher;
import dev.tidemark.activities.publish.Verification;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.activities.sweep.LedgerService;
import dev.tidemark.activities.sweep.Preparation;
import dev.tidemark.activities.task.ObjectWakes;
import dev.tidemark.activities.task.PartitionRunner;
import dev.tidemark.activities.task.RunnerHost;
import dev.tidemark.activities.task.TaskBinding;
import dev.tidemark.activities.task.Tasks;
import dev.tidemark.activities.task.Wakes;
import dev.tidemark.worker.configuration.Configuration.Defined;
import dev.tidemark.worker.metrics.Metrics;
import dev.tidemark.workflows.index.ObjectsWorkflowImpl;
import dev.tidemark.workflows.ledger.LedgerActivities;
import dev.tidemark.workflows.sweep.LaneWorkflowImpl;
import dev.tidemark.workflows.sweep.SweepWorkflowImpl;
import io.temporal.worker.Worker;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Objects;
import javax.sql.DataSource;

/** The workflows and activities of a worker: reads top to bottom as its object graph. */
public final class WorkerActivities implements AutoCloseable {
  private static final String VERSION =
      Objects.requireNonNullElse(
          WorkerActivities.class.getPackage().getImplementationVersion(), "development");

  private final LedgerActivities ledger;
  private final PartitionRunner partitions;
  private final IndexService indexes;
  private final Metrics metrics;

  private WorkerActivities(
      LedgerActivities ledger, PartitionRunner partitions, IndexService indexes, Metrics metrics) {
    this.ledger = ledger;
    this.partitions = partitions;
    this.indexes = indexes;
    this.metrics = metrics;
  }

  /**
   * Wires them.
   *
   * @param baseFolder relative paths of pipelines are relative to it
   * @param own the pipelines whose tasks this worker runs, and the object types that it builds, as
   *     it has them
   * @param host the process that they are part of
   */
  public static WorkerActivities of(
      DataSource ledger,
      Path baseFolder,
      Connections connections,
      Defined own,
      Bindings bindings,
      Host host) {
    Metrics metrics = host.metrics();
    Attempts attempts = new Attempts(ledger);
    Observations observations = new Observations(ledger);
    InputVersions inputs =
        new InputVersions(
            connections,
            baseFolder,
            bindings.detectors(),
            observations,
            new Upstreams(ledger),
            metrics);
    Stores stores = new ConfiguredStores(baseFolder, connections, Clock.systemUTC());
    WakeFlags wakeFlags = new WakeFlags(ledger);
    LedgerService service =
        new LedgerService(
            new Definitions(ledger),
            new Preparation(
                new SliceSets(connections),
                new ExpectedSet(ledger),
                inputs,
                observations,
                new LedgerReader(ledger)),
            new Claims(ledger),
            attempts,
            new Backfills(ledger),
            new Verification(OutputLedger.of(ledger), stores),
            wakeFlags);
    PartitionRunner partitions =
        new PartitionRunner(
            attempts,
            observations,
            inputs,
            new Tasks(baseFolder, connections, bindings.tasks()),
            TaskBinding.to(own.pipelines()),
            new Publisher(attempts, stores, Clock.systemUTC(), VERSION),
            new RunnerHost(
                host.name(),
                new Wakes(
                    wakeFlags,
                    own.pipelines(),
                    ObjectWakes.of(new ObjectTypes(ledger), own.objectTypes())),
                metrics));
    return new WorkerActivities(
        service, partitions, IndexService.of(ledger, connections, baseFolder, stores), metrics);
  }

  /**
   * The process.
   *
   * @param name who runs the partitions, for people
   * @param metrics where it counts what it does
   */
  public record Host(String name, Metrics metrics) {}

  /** Registers all of it on a worker that has not started. */
  public void registerOn(Worker worker) {
    worker.registerWorkflowImplementationTypes(
        SweepWorkflowImpl.class, LaneWorkflowImpl.class, ObjectsWorkflowImpl.class);
    worker.registerActivitiesImplementations(
        metrics.counting(ledger),
        metrics.counting(partitions),
        metrics.counting(partitions.foreign()),
        indexes);
  }

  /** Ends the partitions that still run: each is given back, with nothing spent. */
  @Override
  public void close() {
    partitions.close();
    indexes.close();
  }
}
