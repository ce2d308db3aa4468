package dev.tidemark.worker.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.account.AccountKey;
import dev.tidemark.worker.process.ConnectionPools;
import dev.tidemark.workflows.pipeline.AccountId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code account-id}: a key is by reference, and in no definition. */
class AccountIdTest {
  private static final String KEY = "of accounts, and long enough to be a key";
  private static final String YAML =
      """
      pipelines:
        - name: events
          partitions: {every: day, start: 2026-01-01}
          slices: [{customer: [a], public_id: [x]}, {customer: [b], public_id: [y]}]
          account: customer
          account-id: {%s}
          task: {command: [sh]}
          output: {location: "out", layout: file, path: "%s"}
      """;

  @TempDir Path folder;

  // B24, B40
  @Test
  void theKeyIsKnownToTheProcessAndItsCheckToTheDefinition() throws Exception {
    Files.writeString(folder.resolve("accounts.key"), KEY + "\n");
    Configuration read =
        ConfigurationFile.in(folder)
            .load(
                YAML.formatted(
                    "keyed-hash: \"${file:accounts.key}\"",
                    "{partition}-{slice.customer}-{slice.public_id}"));

    String check = new AccountKey(KEY).check();
    assertThat(read.pipelines().get(0).extent().accountId())
        .isEqualTo(new AccountId.KeyedHash(check));
    assertThat(read.toString()).contains(check).doesNotContain(KEY);
    try (ConnectionPools pools = ConnectionPools.of(read.connections())) {
      assertThat(pools.connections().accountKey(check).of("a"))
          .isEqualTo(new AccountKey(KEY).of("a"));
    }
  }

  // B24: in a path the account is its id
  @Test
  void aColumnIsInThePathAsTheAccount() throws Exception {
    ConfigurationFile file = ConfigurationFile.in(folder);

    assertThat(file.problems(YAML.formatted("column: public_id", "{partition}-{slice.customer}")))
        .isEmpty();
    List<Problem> problems =
        file.problems(
            YAML.formatted("column: public_id", "{partition}-{slice.customer}-{slice.public_id}"));
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0).key()).isEqualTo("pipelines[0].output.path");
    assertThat(problems.get(0).message()).contains("write {slice.customer}");
  }
}
