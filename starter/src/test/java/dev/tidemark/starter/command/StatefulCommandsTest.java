package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pipeline whose windows build on each other, through the command. */
class StatefulCommandsTest {
  private static final String PIPELINE =
      """
        - name: %1$s
          partitions: {every: day, start: 2024-01-01, end: 2024-01-06}
          sweep: {every: 30d}
          stateful: true
          late-data: {accept: 60d}
          inputs: [{files: "%1$s/{partition}.csv"}]
          task: {command: ["sh", "-c", "cd %1$s; test ! -e bad-{partition} || exit 65; cat {partition}.csv > {output}/x.csv"]}
          output: {location: ./out, layout: hive}
      """;

  @TempDir static Path folder;
  private static Trial trial;
  private static DevProcess dev;

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    trial =
        Trial.with(
            folder, "pipelines:\n" + PIPELINE.formatted("balance") + PIPELINE.formatted("blocked"));
    dev = DevProcess.start(trial, folder.resolve("dev.log"));
  }

  @AfterAll
  static void stop() throws InterruptedException {
    try (DevProcess stopping = dev) {
      stopping.terminate();
    }
  }

  // C19, C20, C21, W9, c-B19
  @Test
  void lateDataRedoesWhatFollowsAndAParkedWindowStopsTheChain()
      throws IOException, InterruptedException {
    IntStream.rangeClosed(1, 5).forEach(day -> input("balance", day, "first"));
    assertThat(planned()).containsOnly("missing").hasSize(5);
    assertThat(trial.json("sweep", "balance").json().path("completed").asInt()).isEqualTo(5);
    assertThat(manifest(1).path("predecessor").isNull()).isTrue();
    assertThat(manifest(4).path("predecessor")).isEqualTo(manifest(3).path("token"));

    input("balance", 2, "late");
    assertThat(planned()).containsExactly("late", "chain", "chain", "chain");
    assertThat(trial.json("sweep", "balance").json().path("completed").asInt()).isEqualTo(4);
    assertThat(trial.json("sweep", "balance").json().path("claimed").asInt()).isZero();

    input("balance", 1, "late");
    trial.write("balance/bad-2024-01-03", "");
    Trial.Ran stopped = trial.json("sweep", "balance");
    assertThat(stopped.exit()).isEqualTo(1);
    assertThat(stopped.json().path("completed").asInt()).isEqualTo(2);
    JsonNode waiting = trial.json("explain", "balance", "2024-01-04").json();
    assertThat(waiting.path("due").asBoolean()).isFalse();

    input("balance", 5, "late");
    JsonNode behind = trial.json("explain", "balance", "2024-01-05").json();
    assertThat(behind.at("/reasons/0/code").asText()).isEqualTo("waiting_for_predecessor");
    assertThat(behind.at("/reasons/0/detail").asText()).contains("2024-01-03");
    assertThat(trial.json("plan", "balance", "--from", "2024-01-03", "--to", "2024-01-05"))
        .extracting(ran -> ran.json().path("partitions").findValuesAsText("reason"))
        .isEqualTo(List.of("parked", "up_to_date", "waiting_for_predecessor"));

    Files.delete(folder.resolve("balance/bad-2024-01-03"));
    assertThat(trial.run("retry", "balance").exit()).isZero();
    Awaited.until(
        "the rest of the chain is made again", () -> completed() == 5 && planned().isEmpty());
    assertThat(manifest(5).path("predecessor")).isEqualTo(manifest(4).path("token"));
  }

  // c-B19: --wait returns though the rest of the list waits behind a parked window.
  @Test
  void aBackfillBehindAParkedWindowIsOver() {
    IntStream.rangeClosed(1, 5).forEach(day -> input("blocked", day, "first"));
    trial.write("blocked/bad-2024-01-02", "");
    Trial.Ran asked =
        trial.json(
            "backfill",
            "blocked",
            "--from",
            "2024-01-01",
            "--to",
            "2024-01-05",
            "--wait",
            "--timeout",
            "2m");
    assertThat(asked.exit()).as(asked.out() + asked.err()).isEqualTo(1);
    assertThat(asked.json().path("completed").asInt()).isEqualTo(1);
    assertThat(asked.json().path("state").asText()).isEqualTo("failed");
    assertThat(trial.run("backfills", "show", asked.json().path("backfill_id").asText()).out())
        .contains("1 failed", "3 held up", "partitions blocked --state parked");
  }

  private static void input(String pipeline, int day, String text) {
    trial.write("%s/2024-01-0%d.csv".formatted(pipeline, day), text + " " + day);
  }

  private static List<String> planned() {
    return trial.json("plan", "balance").json().path("partitions").findValuesAsText("reason");
  }

  private static int completed() {
    return trial.json("status", "balance").json().at("/pipelines/0/counts/completed").asInt();
  }

  private static JsonNode manifest(int day) throws IOException {
    return new ObjectMapper()
        .readTree(
            folder.resolve("out/balance/dt=2024-01-0%d/_manifest.json".formatted(day)).toFile());
  }
}
