package dev.tidemark.activities.task;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.Attempts;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;

/** A worker on a test's ledger, without Temporal. */
final class TestWorker {
  final Map<String, PartitionTask> objects = new HashMap<>();
  private final TestLedger ledger;
  private final Path folder;

  TestWorker(TestLedger ledger, Path folder) {
    this.ledger = ledger;
    this.folder = folder;
  }

  PartitionRunner runner() {
    return runner(ledger.attempts, TaskBinding.ANY);
  }

  /** A worker whose own definitions are these. */
  PartitionRunner runner(TaskBinding binding) {
    return runner(ledger.attempts, binding);
  }

  /** A worker that begins and settles on this data source. */
  PartitionRunner on(DataSource source) {
    return runner(new Attempts(source), TaskBinding.ANY);
  }

  private PartitionRunner runner(Attempts attempts, TaskBinding binding) {
    Connections connections = new Connections(Map.of("ledger", ledger.database.dataSource()));
    return new PartitionRunner(
        attempts,
        ledger.observations,
        new InputVersions(connections, folder, Map.of(), ledger.observations),
        new Tasks(folder, connections, objects),
        binding,
        ledger.publisher,
        "worker-1");
  }

  /** The first attempt of a claim. */
  PartitionOutcome run(Claim claim) {
    return attempt(claim, 1);
  }

  PartitionOutcome attempt(Claim claim, int attempt) {
    try (PartitionRunner runner = runner()) {
      return runner.run(claim, attempt, () -> {});
    }
  }
}
