package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A configuration that changes while there are outputs, through the command (A14.3, A14.5). */
class ExpectedSetTest {
  private static final String YAML =
      """
      pipelines:
        - name: weather
          partitions: {every: day, start: 2024-01-01, end: 2024-01-04}
          sweep: {every: 30d}
          slices: [{unit: [a]}]
          on-definition-change: ask
          limits: {parallel: 1}
          task: {command: ["sh", "-c", "echo first > {output}/x.txt"]}
          output: {location: ./out, layout: hive}
      """;

  @TempDir Path folder;
  private Trial trial;
  private DevProcess dev;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    trial = Trial.with(folder, YAML);
    dev = DevProcess.start(trial, folder.resolve("dev.log"));
  }

  @AfterEach
  void stop() throws InterruptedException {
    try (DevProcess stopping = dev) {
      stopping.terminate();
    }
  }

  private JsonNode json(String... arguments) {
    Trial.Ran ran = trial.json(arguments);
    assertThat(ran.exit()).as(ran.out() + ran.err()).isZero();
    return ran.json();
  }

  private void apply(String yaml) {
    trial.write("tidemark.yaml", yaml);
    json("apply");
  }

  private int stale() {
    return json("status", "weather").at("/pipelines/0/stale_definition").asInt();
  }

  @Test
  void whatAChangedConfigurationChangesIsDueAsItsPolicySays() {
    assertThat(json("sweep", "weather").path("completed").asInt()).isEqualTo(3);

    // A14.3, A20-A22: a new category, its history from its since, and nothing before.
    String more = YAML.replace("[{unit: [a]}]", "[{unit: [a]}, {unit: [b], since: 2024-01-02}]");
    apply(more);
    assertThat(json("sweep", "weather").path("completed").asInt()).isEqualTo(2);
    assertThat(reason("2024-01-01", "unit=b")).isEqualTo("before_since");
    assertThat(reason("2024-01-01", "unit=c")).isEqualTo("unknown_slice");

    // A14.5: ask.
    String second = more.replace("echo first", "echo second");
    apply(second);
    assertThat(json("sweep", "weather").path("claimed").asInt()).isZero();
    assertThat(stale()).isEqualTo(5);
    assertThat(trial.run("plan", "weather").out()).contains("5 were made with an older definition");
    assertThat(
            json("plan", "weather", "--from", "2024-01-03", "--to", "2024-01-03")
                .path("partitions")
                .findValuesAsText("reason"))
        .containsExactly("definition_ask", "definition_ask");
    assertThat(reason("2024-01-02", "unit=a")).isEqualTo("definition_ask");
    JsonNode asked =
        json(
            "backfill",
            "weather",
            "--from",
            "2024-01-01",
            "--to",
            "2024-01-02",
            "--mode",
            "stale",
            "--wait");
    assertThat(asked.path("completed").asInt()).isEqualTo(3);
    assertThat(stale()).isEqualTo(2);

    // rerun, cut into sweeps by a limit; keep.
    apply(
        second
            .replace("definition-change: ask", "definition-change: rerun")
            .replace("{parallel: 1}", "{parallel: 1, files: 1}"));
    JsonNode first = json("sweep", "weather");
    assertThat(first.path("completed").asInt()).isEqualTo(1);
    assertThat(first.path("remaining").asInt()).isEqualTo(1);
    assertThat(json("sweep", "weather").path("completed").asInt()).isEqualTo(1);
    assertThat(stale()).isZero();
    apply(
        second.replace("definition-change: ask", "definition-change: keep").replace("second", "3"));
    assertThat(json("sweep", "weather").path("claimed").asInt()).isZero();
    assertThat(reason("2024-01-02", "unit=a")).isEqualTo("up_to_date");
  }

  private String reason(String partition, String slice) {
    return json("explain", "weather", partition, "--slice", slice).at("/reasons/0/code").asText();
  }
}
