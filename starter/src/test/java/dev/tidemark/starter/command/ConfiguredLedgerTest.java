package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands on a ledger that is configured: it is prepared, and applied to, explicitly. */
class ConfiguredLedgerTest {
  @TempDir Path folder;
  private static EmbeddedPostgres server;

  @BeforeAll
  static void start() throws IOException {
    server = EmbeddedPostgres.start();
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @Test
  void itIsMigratedThenAppliedToThenRead() {
    String ledger = "ledger: {url: \"" + server.getJdbcUrl("postgres", "postgres") + "\"}\n";
    Trial trial = Trial.with(folder, ledger + Trial.DAYS);

    Trial.Ran bare = trial.json("status", "days");
    Trial.Ran migrated = trial.json("migrate");
    Trial.Ran unregistered = trial.json("status", "days");
    Trial.Ran applied = trial.json("apply");
    Trial.Ran read = trial.json("status", "days");
    trial.write(
        "tidemark.yaml", ledger + Trial.DAYS.replace("closes-after: 1h", "closes-after: 2h"));
    Trial.Ran drifted = trial.json("status", "days");

    trial.write("tidemark.yaml", ledger + Trial.DAYS.replace("name: days", "name: others"));
    Trial.Ran renamed = trial.json("apply", "--dry-run");

    assertThat(bare.exit()).as("no schema yet: " + bare.out()).isNotZero();
    assertThat(bare.json().at("/error/message").asText()).contains("tidemark migrate");
    assertThat(migrated.json().path("migrations").asInt()).isPositive();
    assertThat(unregistered.exit()).isEqualTo(4);
    assertThat(unregistered.json().at("/error/message").asText()).contains("tidemark apply");
    assertThat(applied.exit()).as(applied.out() + applied.err()).isZero();
    assertThat(applied.json().at("/pipelines/0/change").asText()).isEqualTo("created");
    assertThat(read.json().at("/pipelines/0/revision").asInt()).isEqualTo(1);
    assertThat(drifted.exit()).isZero();
    assertThat(drifted.err()).contains("tidemark apply --dry-run");
    assertThat(renamed.json().at("/not_in_file"))
        .as("it goes on as it is, and that is said")
        .hasSize(1)
        .allMatch(name -> name.asText().equals("days"));
  }
}
