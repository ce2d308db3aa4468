package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pipeline whose windows build on each other, through the command. */
class StatefulCommandsTest {
  private static final String YAML =
      """
      pipelines:
        - name: balance
          partitions: {every: day, start: 2024-01-01, end: 2024-01-06}
          sweep: {every: 30d}
          stateful: true
          late-data: {accept: 60d}
          inputs: [{files: "input/{partition}.csv"}]
          task: {command: ["sh", "-c", "test ! -e bad-{partition} || exit 65; cat input/{partition}.csv > {output}/x.csv"]}
          output: {location: ./out, layout: hive}
      """;

  @TempDir Path folder;

  // C19, C20, C21, W9, c-B19
  @Test
  void lateDataRedoesWhatFollowsAndAParkedWindowStopsTheChain()
      throws IOException, InterruptedException {
    Trial trial = Trial.with(folder, YAML);
    IntStream.rangeClosed(1, 5).forEach(day -> input(trial, day, "first"));
    try (DevProcess dev = DevProcess.start(trial, folder.resolve("dev.log"))) {
      assertThat(planned(trial)).containsOnly("missing").hasSize(5);
      assertThat(trial.json("sweep", "balance").json().path("completed").asInt()).isEqualTo(5);
      assertThat(manifest(1).path("predecessor").isNull()).isTrue();
      assertThat(manifest(4).path("predecessor")).isEqualTo(manifest(3).path("token"));

      input(trial, 2, "late");
      assertThat(planned(trial)).containsExactly("late", "chain", "chain", "chain");
      assertThat(trial.json("sweep", "balance").json().path("completed").asInt()).isEqualTo(4);
      assertThat(trial.json("sweep", "balance").json().path("claimed").asInt()).isZero();

      input(trial, 1, "late");
      trial.write("bad-2024-01-03", "");
      Trial.Ran stopped = trial.json("sweep", "balance");
      assertThat(stopped.exit()).isEqualTo(1);
      assertThat(stopped.json().path("completed").asInt()).isEqualTo(2);
      JsonNode waiting = trial.json("explain", "balance", "2024-01-04").json();
      assertThat(waiting.path("due").asBoolean()).isFalse();

      input(trial, 5, "late");
      JsonNode behind = trial.json("explain", "balance", "2024-01-05").json();
      assertThat(behind.at("/reasons/0/code").asText()).isEqualTo("waiting_for_predecessor");
      assertThat(behind.at("/reasons/0/detail").asText()).contains("2024-01-03");
      assertThat(trial.json("plan", "balance", "--from", "2024-01-03", "--to", "2024-01-05"))
          .extracting(ran -> ran.json().path("partitions").findValuesAsText("reason"))
          .isEqualTo(List.of("parked", "up_to_date", "waiting_for_predecessor"));

      Files.delete(folder.resolve("bad-2024-01-03"));
      assertThat(trial.run("retry", "balance").exit()).isZero();
      Awaited.until(
          "the rest of the chain is made again",
          () -> completed(trial) == 5 && planned(trial).isEmpty());
      assertThat(manifest(5).path("predecessor")).isEqualTo(manifest(4).path("token"));
      dev.terminate();
    }
  }

  // c-B19: --wait returns though the rest of the list waits behind a parked window.
  @Test
  void aBackfillBehindAParkedWindowIsOver() throws IOException, InterruptedException {
    Trial trial = Trial.with(folder, YAML);
    IntStream.rangeClosed(1, 5).forEach(day -> input(trial, day, "first"));
    trial.write("bad-2024-01-02", "");
    try (DevProcess dev = DevProcess.start(trial, folder.resolve("dev.log"))) {
      Trial.Ran asked =
          trial.json(
              "backfill",
              "balance",
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
      dev.terminate();
    }
  }

  private static void input(Trial trial, int day, String text) {
    trial.write("input/2024-01-0%d.csv".formatted(day), text + " " + day);
  }

  private static List<String> planned(Trial trial) {
    return trial.json("plan", "balance").json().path("partitions").findValuesAsText("reason");
  }

  private static int completed(Trial trial) {
    return trial.json("status", "balance").json().at("/pipelines/0/counts/completed").asInt();
  }

  private JsonNode manifest(int day) throws IOException {
    return new ObjectMapper()
        .readTree(
            folder.resolve("out/balance/dt=2024-01-0%d/_manifest.json".formatted(day)).toFile());
  }
}
