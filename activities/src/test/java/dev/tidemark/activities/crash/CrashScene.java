package dev.tidemark.activities.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.publish.Verification;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.task.TestWorker;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.pipeline.OutputSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A day with five parts, published; the next run makes it with fewer. */
final class CrashScene implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String FOLDER = "sales/dt=" + TestLedger.DAY + "/";

  final TestLedger ledger;
  private final Path folder;
  private final StoreAddress address;
  private final StoreAddress.Opened stores;
  private final OutputStore store;
  private final RegisteredPipeline pipeline;

  CrashScene(Path folder, StoreAddress address) throws Exception {
    this.folder = folder;
    this.address = address;
    this.ledger = new TestLedger(folder);
    this.stores = address.open(folder);
    this.store = stores.open(address.location());
    this.pipeline =
        ledger.register(
            TestPipeline.daily("sales").output(new OutputSpec.Hive(address.location())));
    assertThat(run(ledger.claim(pipeline), "first", 5).kind())
        .isEqualTo(PartitionOutcome.Kind.COMMITTED);
    // The day is due again.
    ledger.lose();
  }

  Claim claim() {
    return ledger.claim(pipeline);
  }

  /** An attempt of this process. */
  PartitionOutcome run(Claim claim, String run, int parts) {
    TestWorker worker = TestWorker.on(ledger.database.dataSource(), stores::open, folder);
    worker.runs(new AttemptProcess.Output(run, parts).task());
    return worker.run(claim);
  }

  /** An attempt of another process, which gets a signal at a point of the protocol. */
  void attempt(
      AttemptProcess process, Claim claim, Point point, String signal, AttemptProcess.Output output)
      throws IOException {
    process.attempt(
        new AttemptProcess.Order(
            ledger.database.jdbcUrl(), folder.toString(), address, claim, point, signal, output));
  }

  WatchingReader watch() {
    return new WatchingReader(store, FOLDER);
  }

  /** What every sweep does before it plans. */
  void verify() {
    new Verification(OutputLedger.of(ledger.database.dataSource()), stores::open).check(pipeline);
  }

  /** The partition's files are exactly the manifest's, and the ledger says the same. */
  void requireWhole(String run, int parts) throws Exception {
    try (WatchingReader reader = watch()) {
      assertThat(reader.read()).hasValue(parts == 0 ? "no rows" : run);
      JsonNode manifest =
          MAPPER.readTree(store.read(FOLDER + "_manifest.json").orElseThrow().text());
      List<String> expected = new ArrayList<>(List.of(FOLDER + "_manifest.json"));
      manifest.get("files").forEach(file -> expected.add(FOLDER + file.get("name").asText()));
      assertThat(reader.names()).containsExactlyElementsOf(expected);
      assertThat(manifest.get("files")).hasSize(parts);
      assertThat(ledger.state("state")).isEqualTo("completed");
      assertThat(
              ledger.query(
                  "select content || ' ' || bytes || ' ' || (output_lost_at is null)"
                      + " from tidemark.partition_ledger"))
          .isEqualTo(
              manifest.get("content").asText() + " " + manifest.get("bytes").asLong() + " true");
    }
  }

  @Override
  public void close() {
    stores.close();
    ledger.close();
  }
}
