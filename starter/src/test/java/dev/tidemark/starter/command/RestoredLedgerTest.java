package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger restored from a backup, and outputs that went on meanwhile. */
class RestoredLedgerTest {
  @TempDir Path folder;

  // Design: "Where a pipeline has an output, the outputs win"; as docs/upgrade.md says it
  @Test
  void whatWasCommittedSinceTheBackupIsTakenInAndNotMadeAgain() throws Exception {
    try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
      execute(server, "create database ledger");
      Trial trial = new Trial(folder);
      configure(trial, server, "ledger");
      for (int day = 1; day <= 4; day++) {
        trial.write("input/2026-07-0" + day + ".csv", "a\n");
      }
      assertThat(trial.json("migrate").exit()).isZero();
      assertThat(trial.json("apply").exit()).isZero();
      assertThat(completed(trial, "2026-07-04")).isEqualTo(3);
      execute(server, "create database backup template ledger");
      trial.write("input/2026-07-02.csv", "a\nb\n");
      assertThat(completed(trial, "2026-07-05")).as("a new day and a late one").isEqualTo(2);

      configure(trial, server, "backup");
      int before = committed(trial);
      JsonNode reconciled = trial.json("reconcile", "days").json();
      int after = committed(trial);
      trial.write("input/2026-07-01.csv", "a\nb\n");
      int made = completed(trial, "2026-07-05");

      assertThat(before).as("the backup is older").isEqualTo(3);
      assertThat(reconciled.path("adopted").asInt())
          .as("the new day, and the later commit of the other: " + reconciled)
          .isEqualTo(2);
      assertThat(after).isEqualTo(4);
      assertThat(made).as("only what is late since").isEqualTo(1);
      assertThat(Files.readAllLines(folder.resolve("made.log")))
          .containsExactly(
              "2026-07-01", "2026-07-02", "2026-07-03", "2026-07-04", "2026-07-02", "2026-07-01");
    }
  }

  private static void configure(Trial trial, EmbeddedPostgres server, String database) {
    trial.write(
        "tidemark.yaml",
        """
        ledger: {url: "%s"}
        pipelines:
          - name: days
            partitions: {every: day, start: 2026-07-01, end: 2026-08-01}
            order: oldest-first
            limits: {parallel: 1}
            inputs: [{files: "input/{partition}.csv"}]
            task: {command: ["sh", "-c", "cp input/{partition}.csv {output}/; echo {partition} >> made.log"]}
            output: {location: ./out, layout: hive}
        """
            .formatted(server.getJdbcUrl("postgres", database)));
  }

  private static int completed(Trial trial, String day) {
    Trial.Ran ran = trial.json("sweep", "days", "--now", day + "T00:00:00Z", "--timeout", "1m");
    assertThat(ran.exit()).as(ran.out() + ran.err()).isZero();
    return ran.json().path("completed").asInt();
  }

  private static int committed(Trial trial) {
    return trial.json("status", "days").json().at("/pipelines/0/counts/completed").asInt();
  }

  private static void execute(EmbeddedPostgres server, String sql) throws Exception {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
