package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An object type beside a running {@code dev}, from the commits of its pipeline to a rollback. */
class ObjectsTest {
  private static final String PIPELINE =
      """
      pipelines:
        - name: customers
          partitions: {every: day, start: 2024-01-01, end: 2024-01-10}
          sweep: {every: 30d}
          late-data: {accept: 36500d}
          inputs: [{files: "input/{partition}.ndjson"}]
          task: {command: ["sh", "-c", "cp input/{partition}.ndjson {output}/rows.ndjson"]}
          output: {location: ./out}
      """;

  @TempDir static Path folder;
  private static Trial trial;
  private static DevProcess dev;

  /** With a property for where customers live, which is called so. */
  private static String yaml(String place, String more) {
    return PIPELINE
        + """
      object-types:
        - name: customer
          primary-key: id
          properties:
            - {name: id, type: bigint}
            - {name: name, type: string, text: true}
            - {name: %s, type: string}
          datasources:
            - {name: crm, pipeline: customers, kind: snapshot}
          live: {every: 1s}
          location: ./objects
      %s
      """
            .formatted(place, more);
  }

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    trial = Trial.with(folder, yaml("city", ""));
    Files.createDirectories(folder.resolve("input"));
    dev = DevProcess.start(trial, folder.resolve("dev.log"));
  }

  @AfterAll
  static void stop() throws InterruptedException {
    try (DevProcess stopping = dev) {
      assertThat(stopping.terminate()).as(stopping.said()).isZero();
    }
  }

  /** The snapshot of a day: a line for each customer, such as {@code 1 Ada Ulm}. */
  private static void commit(String day, String... customers) throws Exception {
    StringBuilder rows = new StringBuilder();
    for (String customer : customers) {
      List<String> values = List.of(customer.split(" "));
      rows.append(
          "{\"id\":%s,\"name\":\"%s\",\"city\":\"%s\",\"town\":\"%3$s\"}\n"
              .formatted(values.get(0), values.get(1), values.get(2)));
    }
    Files.writeString(folder.resolve("input/" + day + ".ndjson"), rows);
    assertThat(json("sweep", "customers").path("completed").asInt()).isEqualTo(1);
  }

  private static JsonNode json(String... arguments) {
    Trial.Ran ran = trial.json(arguments);
    assertThat(ran.exit()).as(ran.out() + ran.err() + dev.said()).isZero();
    return ran.json();
  }

  private static JsonNode served() {
    return json("objects", "show", "customer").at("/object_types/0/served");
  }

  private static String value(String key, String property, long afterEdit) {
    Trial.Ran got =
        trial.json("objects", "get", "customer", key, "--after-edit", Long.toString(afterEdit));
    return got.exit() == 0
        ? got.json().at("/object/values/" + property).asText()
        : got.json().at("/error/message").asText();
  }

  // D1, D2, D5, D7, D9, D10, D33, c-L1, c-L5
  @Test
  void commitsEditsAReplacementAndARollbackAreSeenThroughTheCommand() throws Exception {
    commit("2024-01-01", "1 Ada Ulm", "2 Bob Jena", "3 Cem Köln");
    Awaited.until("the first generation", () -> served().path("objects").asInt() == 3);
    assertThat(value("2", "city", 0)).isEqualTo("Jena");

    JsonNode edit = json("objects", "edit", "customer", "2", "--set", "city=Bonn");
    assertThat(edit.path("offset").asLong()).isEqualTo(1);
    assertThat(value("2", "city", 1)).isEqualTo("Bonn");
    Trial.Ran refused = trial.json("objects", "edit", "customer", "9", "--set", "city=Bonn");
    assertThat(refused.exit()).as(refused.out()).isEqualTo(1);

    // The first one may have been of nothing, before the first commit.
    int before = served().path("generation").asInt();
    commit("2024-01-02", "2 Bob Jena", "3 Cem Trier", "4 Dua Kiel");
    Awaited.until("the next generation", () -> served().path("generation").asInt() > before);
    JsonNode found =
        json(
            "objects",
            "search",
            "customer",
            "--sort",
            "-city",
            "--filter",
            "{\"exists\":\"city\"}");
    assertThat(found.path("total").asInt()).isEqualTo(3);
    assertThat(found.at("/objects/0/values/city").asText()).isEqualTo("Trier");
    assertThat(value("2", "city", 0)).as("edits win").isEqualTo("Bonn");
    assertThat(value("1", "city", 0)).contains("there is no '1'");

    trial.write("tidemark.yaml", yaml("town", ""));
    Trial.Ran undecided = trial.json("apply");
    assertThat(undecided.exit()).as(undecided.out()).isEqualTo(4);
    assertThat(undecided.json().at("/error/message").asText())
        .contains("people have edited 'city'");
    trial.write(
        "tidemark.yaml", yaml("town", "    migrate-edits: [{move: {from: city, to: town}}]"));
    JsonNode applied = json("apply").at("/object_types/0");
    assertThat(applied.path("change").asText()).isEqualTo("replacement");
    assertThat(applied.path("space_bytes").asLong()).isPositive();
    Awaited.until("the switch", () -> served().path("revision").asInt() == 2);
    assertThat(value("2", "town", 0)).isEqualTo("Bonn");
    assertThat(value("3", "town", 0)).isEqualTo("Trier");

    assertThat(json("objects", "rollback", "customer").path("revision").asInt()).isEqualTo(1);
    assertThat(value("2", "city", 0)).isEqualTo("Bonn");
    assertThat(json("objects", "build", "customer").path("failed").asInt()).isZero();
    JsonNode jobs = json("objects", "jobs", "customer").path("jobs");
    assertThat(jobs.findValuesAsText("stage")).contains("changelog", "merge", "index", "hydrate");
    assertThat(jobs.findValuesAsText("state")).doesNotContain("failed");
  }
}
