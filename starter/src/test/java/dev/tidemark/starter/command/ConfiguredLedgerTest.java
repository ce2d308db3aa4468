package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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

  // What docs/upgrade.md says of a rolling upgrade, and of a downgrade
  @Test
  void anOlderVersionGoesOnWithTheSchemaOfANewerOne() throws Exception {
    execute("postgres", "create database newer");
    String ledger = "ledger: {url: \"" + server.getJdbcUrl("postgres", "newer") + "\"}\n";
    Trial trial = Trial.with(folder, ledger + Trial.DAYS);
    assertThat(trial.json("migrate").exit()).isZero();
    assertThat(trial.json("apply").exit()).isZero();
    execute(
        "newer",
        """
        alter table tidemark.partition_ledger add column added_later text;
        create table tidemark.made_later (id bigint primary key);
        insert into tidemark.flyway_schema_history
        select installed_rank + 1, '9999', 'later', type, 'V9999__later.sql', checksum,
               installed_by, installed_on, execution_time, success
          from tidemark.flyway_schema_history order by installed_rank desc limit 1;
        """);
    trial.write("input/2026-07-25.csv", "a\n");

    Trial.Ran migrated = trial.json("migrate");
    Trial.Ran swept = trial.json("sweep", "days", "--now", "2026-07-27T00:00:00Z");

    assertThat(migrated.exit()).as(migrated.out()).isZero();
    assertThat(migrated.json().path("migrations").asInt()).isZero();
    assertThat(swept.exit()).as(swept.out() + swept.err()).isZero();
    assertThat(swept.json().path("completed").asInt()).isEqualTo(1);
  }

  private static void execute(String database, String sql) throws SQLException {
    try (Connection connection = server.getDatabase("postgres", database).getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
