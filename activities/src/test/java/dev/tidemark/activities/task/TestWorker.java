package dev.tidemark.activities.task;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.WakeFlags;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.publish.Publisher;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/** A worker on a test's ledger, without Temporal. */
public final class TestWorker {
  final Map<String, PartitionTask> objects = new HashMap<>();
  private final DataSource ledger;
  private final Publisher publisher;
  private final Path folder;

  TestWorker(TestLedger ledger, Path folder) {
    this(ledger.database.dataSource(), ledger.publisher, folder);
  }

  private TestWorker(DataSource ledger, Publisher publisher, Path folder) {
    this.ledger = ledger;
    this.publisher = publisher;
    this.folder = folder;
  }

  /** A worker that publishes into these stores. */
  public static TestWorker on(DataSource ledger, Stores stores, Path folder) {
    Publisher publisher = new Publisher(new Attempts(ledger), stores, Clock.systemUTC(), "test");
    return new TestWorker(ledger, publisher, folder);
  }

  /** From now on the task named {@code task} is this one. */
  public void runs(PartitionTask task) {
    objects.put("task", task);
  }

  PartitionRunner runner() {
    return runner(new Attempts(ledger), TaskBinding.ANY);
  }

  /** A worker whose own definitions are these. */
  PartitionRunner runner(TaskBinding binding) {
    return runner(new Attempts(ledger), binding);
  }

  /** A worker that begins and settles on this data source. */
  PartitionRunner on(DataSource source) {
    return runner(new Attempts(source), TaskBinding.ANY);
  }

  private PartitionRunner runner(Attempts attempts, TaskBinding binding) {
    Connections connections = new Connections(Map.of("ledger", ledger));
    Observations observations = new Observations(ledger);
    return new PartitionRunner(
        attempts,
        observations,
        new InputVersions(connections, folder, Map.of(), observations, new Upstreams(ledger)),
        new Tasks(folder, connections, objects),
        binding,
        publisher,
        new RunnerHost("worker-1", new Wakes(new WakeFlags(ledger), List.of())));
  }

  /** The first attempt of a claim. */
  public PartitionOutcome run(Claim claim) {
    return attempt(claim, 1);
  }

  PartitionOutcome attempt(Claim claim, int attempt) {
    try (PartitionRunner runner = runner()) {
      return runner.run(claim, attempt, () -> {});
    }
  }
}
