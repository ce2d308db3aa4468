package dev.tidemark.activities.export.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.account.AccountKey;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.publish.Reconciliation;
import dev.tidemark.activities.publish.Reconciliation.Reconciled;
import dev.tidemark.activities.publish.Verification;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.task.TestWorker;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.export.ColumnType;
import dev.tidemark.workflows.export.Dataset;
import dev.tidemark.workflows.export.Load;
import dev.tidemark.workflows.export.PartSize;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.pipeline.AccountId;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A day of an account, of which the customer's side sees an identifier (B24). */
class OpaqueAccountTest {
  private static final String ACCOUNT = "customer-number-42";
  private static final AccountKey KEY = new AccountKey("a key that is long enough to be one, 9d1f");
  private static final AccountKey OTHER =
      new AccountKey("another key, as long as the first one was");

  @TempDir Path folder;

  private record Identified(AccountId id, Map<String, List<String>> slices, String outside) {}

  static Stream<Identified> ids() {
    return Stream.of(
        new Identified(
            new AccountId.Column("public_id"),
            Map.of("customer", List.of(ACCOUNT), "public_id", List.of("8f14e45f")),
            "8f14e45f"),
        new Identified(
            new AccountId.KeyedHash(KEY.check()),
            Map.of("customer", List.of(ACCOUNT)),
            KEY.of(ACCOUNT)));
  }

  private static TestPipeline pipeline(Identified by) {
    return TestPipeline.daily("sales")
        .slices(new SliceSet.Product(new TreeMap<>(by.slices()), null))
        .account("customer", by.id())
        .task(
            new TaskSpec.Export(
                "ledger",
                "select length(:slice_customer) as id where :start < :end",
                new Dataset(
                    Dataset.Format.NDJSON,
                    List.of(new Column("id", ColumnType.parse("int"))),
                    null),
                new PartSize.Rows(10),
                new Load(List.of(Load.Engine.values()), "events"),
                Duration.ofMinutes(1)))
        .output(new OutputSpec.Hive("out"));
  }

  private ConfiguredStores stores(AccountKey... keys) {
    Map<String, AccountKey> known = new TreeMap<>();
    for (AccountKey key : keys) {
      known.put(key.check(), key);
    }
    return new ConfiguredStores(
        folder, new Connections(Map.of(), Map.of(), Map.of(), known), Clock.systemUTC());
  }

  private static PartitionOutcome run(
      TestLedger ledger, RegisteredPipeline pipeline, ConfiguredStores stores, Path folder) {
    ledger.endPause();
    return TestWorker.on(ledger.database.dataSource(), stores, folder).run(ledger.claim(pipeline));
  }

  // B16, B17, B24, B40: the task knows the account, and nothing that it leaves does
  @ParameterizedTest
  @MethodSource("ids")
  void nothingOfAnExportNamesTheAccount(Identified by) throws Exception {
    try (TestLedger ledger = new TestLedger(folder)) {
      RegisteredPipeline pipeline = ledger.register(pipeline(by));
      ConfiguredStores stores = stores(KEY);
      assertThat(run(ledger, pipeline, stores, folder).kind())
          .isEqualTo(PartitionOutcome.Kind.COMMITTED);

      Path day = folder.resolve("out/sales/customer=" + by.outside() + "/dt=" + TestLedger.DAY);
      JsonNode manifest = new ObjectMapper().readTree(day.resolve("_manifest.json").toFile());
      assertThat(manifest.path("slice").toString())
          .isEqualTo("{\"customer\":\"" + by.outside() + "\"}");
      assertThat(manifest.at("/source/rows_by_account").toString())
          .isEqualTo("{\"" + by.outside() + "\":1}");
      assertThat(day.resolve("_load_postgres.sql")).content().contains(by.outside());
      try (Stream<Path> files = Files.walk(folder.resolve("out"))) {
        List<Path> all = files.toList();
        assertThat(all).hasSizeGreaterThan(8);
        for (Path file : all) {
          assertThat(file.toString()).doesNotContain(ACCOUNT, "a key that is");
          if (Files.isRegularFile(file)) {
            assertThat(file).content().doesNotContain(ACCOUNT, "a key that is");
          }
        }
      }
      assertThat(ledger.state("account")).isEqualTo(ACCOUNT);
      assertThat(ledger.query("select definition::text from tidemark.revision"))
          .doesNotContain("a key that is");
    }
    isFoundAgain(by);
  }

  /** By the sweep's comparison, by a full one, and by a ledger that knows nothing. */
  private void isFoundAgain(Identified by) throws Exception {
    try (TestLedger ledger = new TestLedger(folder)) {
      RegisteredPipeline pipeline = ledger.register(pipeline(by));
      OutputLedger outputs = OutputLedger.of(ledger.database.dataSource());
      Reconciled rebuilt =
          new Reconciliation(outputs, stores(KEY)).run(pipeline, Reconciliation.Request.ALL);
      assertThat(rebuilt.adopted()).isEqualTo(1);
      new Verification(outputs, stores(KEY)).check(pipeline);
      Reconciled again =
          new Reconciliation(outputs, stores(KEY)).run(pipeline, Reconciliation.Request.ALL);
      assertThat(again).isEqualTo(new Reconciled(1, 0, 0, 0, 0, 0, 0));
    }
  }

  // B24, A37: outputs by another key would be in another place, which only `apply` may decide
  @Test
  void aWorkerWithAnotherKeyPublishesNothingAndSpendsNothing() throws Exception {
    Identified hashed = ids().toList().get(1);
    try (TestLedger ledger = new TestLedger(folder)) {
      RegisteredPipeline pipeline = ledger.register(pipeline(hashed));

      PartitionOutcome outcome = run(ledger, pipeline, stores(OTHER), folder);

      assertThat(outcome.kind()).isNotEqualTo(PartitionOutcome.Kind.COMMITTED);
      assertThat(folder.resolve("out")).doesNotExist();
      assertThat(
              ledger.query(
                  "select failures || ' ' || failed_claims from tidemark.partition_ledger"))
          .isEqualTo("0 0");
      assertThat(ledger.state("last_error"))
          .contains("the key whose check is " + KEY.check(), OTHER.check());
      new Verification(OutputLedger.of(ledger.database.dataSource()), stores()).check(pipeline);
      assertThat(ledger.state("state")).isNotEqualTo("completed");
    }
  }

  // B24, A37: another key is another definition, as another location is
  @Test
  void anotherKeyIsAnotherDefinition() throws Exception {
    Identified hashed = ids().toList().get(1);
    try (TestLedger ledger = new TestLedger(folder)) {
      RegisteredPipeline before = ledger.register(pipeline(hashed));
      Identified changed =
          new Identified(
              new AccountId.KeyedHash(OTHER.check()), hashed.slices(), OTHER.of(ACCOUNT));

      Definitions.Change change =
          new Definitions(ledger.database.dataSource()).register(pipeline(changed).build(), "test");

      assertThat(change.pipeline().fingerprint()).isNotEqualTo(before.fingerprint());
      assertThat(change.differences())
          .containsExactly("account-id.check: " + KEY.check() + " -> " + OTHER.check());
    }
  }
}
