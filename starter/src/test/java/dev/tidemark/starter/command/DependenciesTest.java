package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines that read each other, from the command line, on embedded services. */
class DependenciesTest {
  private static final String NOW = "2026-08-01T12:00:00Z";
  private static final String YAML =
      """
      pipelines:
        - name: orders
          partitions: {every: day, start: 2026-07-25}
          inputs: [{files: "input/{partition}.csv"}]
          task: {command: ["sh", "-c", "cat input/{partition}.csv > {output}/x.csv"]}
          output: {location: ./out, layout: hive}
        - name: sales
          partitions: {every: day, start: 2026-07-25}
          inputs: [{upstream: orders}]
          task: {command: ["sh", "-c", "cat out/orders/dt={partition}/part-* > {output}/x.csv"]}
          output: {location: ./out, layout: hive}
        - name: report
          partitions: {every: month, start: 2026-07}
          inputs: [{upstream: sales, mapping: rollup, ready: {at-least: 1}}]
          task: {command: ["sh", "-c", "echo {partition} > {output}/x.csv"]}
          output: {location: ./out, layout: hive}
      """;

  @TempDir Path folder;

  // C24, c-C24, c-I1, c-I3; a saved plan that no longer holds is refused
  @Test
  void showsAsksForAndExplainsWhatFollows() throws Exception {
    Trial trial = Trial.with(folder, YAML);
    for (int day = 25; day <= 31; day++) {
      trial.write("input/2026-07-%d.csv".formatted(day), "1\n");
    }
    JsonNode before = trial.json("plan", "orders", "--now", NOW, "--downstream").json();
    assertThat(names(before.get("downstream"), "pipeline")).containsExactly("sales", "report");
    assertThat(before.at("/downstream/0/runs").asInt()).isEqualTo(7);
    assertThat(before.at("/downstream/1/partitions/0/partition").asText()).isEqualTo("2026-07");

    assertThat(trial.run("sweep", "sales", "--now", NOW).exit()).isZero();
    JsonNode held = trial.json("explain", "sales", "2026-07-30", "--now", NOW).json();
    assertThat(held.at("/reasons/0/code").asText()).isEqualTo("no_input");

    assertThat(trial.run("sweep", "orders", "--now", NOW).exit()).isZero();
    JsonNode dry = backfill(trial, "--dry-run");
    JsonNode real = backfill(trial, "--wait");
    assertThat(names(real.get("downstream"), "pipeline")).containsExactly("sales", "report");
    assertThat(names(real.get("downstream"), "partitions"))
        .isEqualTo(names(dry.get("downstream"), "partitions"))
        .containsExactly("2", "1");
    assertThat(names(real.get("downstream"), "completed")).containsExactly("2", "1");

    JsonNode explained = trial.json("explain", "orders", "2026-07-30", "--now", NOW).json();
    assertThat(names(explained.get("dependents"), "pipeline")).containsExactly("sales");

    for (int day = 25; day <= 27; day++) {
      trial.write("input/2026-07-%d.csv".formatted(day), "more\n");
    }
    String plan = folder.resolve("plan.json").toString();
    assertThat(trial.run("plan", "orders", "--now", NOW, "--save", plan).exit()).isZero();
    Trial.Ran applied = trial.json("backfill", "orders", "--plan", plan, "--now", NOW, "--wait");
    assertThat(applied.exit()).as(applied.out()).isZero();
    assertThat(applied.json().path("completed").asInt()).as(applied.out()).isEqualTo(3);
    Trial.Ran again = trial.run("backfill", "orders", "--plan", plan, "--now", NOW, "--wait");
    assertThat(again.exit()).as(again.err()).isEqualTo(4);
    assertThat(again.err()).contains("2026-07-25 is not due any more");
  }

  private JsonNode backfill(Trial trial, String how) {
    return trial
        .json(
            "backfill",
            "orders",
            "--from",
            "2026-07-30",
            "--to",
            "2026-07-31",
            "--now",
            NOW,
            "--mode",
            "all",
            "--downstream",
            how)
        .json();
  }

  private static List<String> names(JsonNode list, String field) {
    List<String> names = new ArrayList<>();
    list.forEach(one -> names.add(one.get(field).asText()));
    return names;
  }
}
