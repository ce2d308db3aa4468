package dev.tidemark.activities.task;

import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.inputs.ChangeDetector;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.Attempts;
import dev.tidemark.activities.ledger.Claims;
import dev.tidemark.activities.ledger.Definitions;
import dev.tidemark.activities.ledger.ExpectedSet;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.Observations.Seen;
import dev.tidemark.activities.ledger.RegisteredPipeline;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.activities.publish.Publisher;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.task.PartitionOutcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;

/** A ledger with a worker on it, and one closed day: 1 January 2026 in Istanbul. */
final class TestLedger implements AutoCloseable {
  static final Instant NOW = Instant.parse("2026-01-01T21:00:00Z");
  static final String DAY = "2026-01-01";

  final LedgerTestDatabase database = LedgerTestDatabase.create();
  final Attempts attempts = new Attempts(database.dataSource());
  final Observations observations = new Observations(database.dataSource());
  final Publisher publisher;
  final Map<String, PartitionTask> objects = new HashMap<>();
  final Map<String, ChangeDetector> detectors = new HashMap<>();
  private final Path folder;

  TestLedger(Path folder) {
    this.folder = folder;
    this.publisher = new Publisher(attempts, folder, Clock.fixed(NOW, ZoneOffset.UTC), "test");
  }

  RegisteredPipeline register(TestPipeline pipeline) throws SQLException {
    DataSource source = database.dataSource();
    PipelineDefinition definition = pipeline.build();
    RegisteredPipeline registered = new Definitions(source).register(definition, "test").pipeline();
    Window closed = definition.extent().closedThrough(NOW).orElseThrow();
    new ExpectedSet(source)
        .bringUpTo(registered, new SliceSets(Connections.NONE).expand(definition), closed);
    Seen input = new Seen(Slice.EMPTY, DAY, "as the sweep saw it", true);
    observations.record(registered, observations.now(), Stream.of(input));
    return registered;
  }

  /** Claims the day, as a sweep does. */
  Claim claim(RegisteredPipeline pipeline) {
    ClaimRequest request =
        new ClaimRequest(UUID.randomUUID().toString(), pipeline.name(), Scope.ALL, NOW, 1);
    return new Claims(database.dataSource()).claim(request).claims().get(0);
  }

  PartitionRunner runner() {
    return runner(TaskBinding.ANY);
  }

  PartitionRunner runner(TaskBinding binding) {
    Connections connections = new Connections(Map.of("ledger", database.dataSource()));
    return new PartitionRunner(
        attempts,
        observations,
        new InputVersions(connections, folder, detectors, observations),
        new Tasks(folder, connections, objects),
        binding,
        publisher,
        "worker-1");
  }

  /** The first attempt of a claim, without Temporal. */
  PartitionOutcome run(Claim claim) {
    return attempt(claim, 1);
  }

  PartitionOutcome attempt(Claim claim, int attempt) {
    try (PartitionRunner runner = runner()) {
      return runner.run(claim, attempt, () -> {});
    }
  }

  /** Makes the day due again: the store lost what was committed. */
  void lose() {
    database.execute("update tidemark.partition_ledger set output_lost_at = clock_timestamp()");
  }

  /** The first column of the first row, as text; {@code null} for null. */
  String query(String sql) throws SQLException {
    try (Connection connection = database.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "no row";
    }
  }

  String state(String column) throws SQLException {
    return query(
        "select " + column + " from public.partition_state where partition = '" + DAY + "'");
  }

  String attempts(String column) throws SQLException {
    return query(
        "select string_agg(" + column + "::text, ',' order by token) from tidemark.attempt");
  }

  @Override
  public void close() {
    database.close();
  }
}
