package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exports from the command: what docs/exports.md shows, on a real database. */
class ExportCommandsTest {
  private static EmbeddedPostgres shop;

  @TempDir Path folder;

  @BeforeAll
  static void makeShop() throws IOException, SQLException {
    shop = EmbeddedPostgres.start();
    execute(
        """
        create table events (customer text, id bigint, occurred_at timestamptz, amount numeric,
          properties jsonb);
        insert into events values
          ('istanbul', 1, '2026-01-01T09:00:00+03', 10.5, '{"a": 1}'),
          ('istanbul', 2, '2026-01-01T23:59:59.999999+03', null, null),
          ('istanbul', 3, '2026-01-02T00:00:00+03', 7, '{}'),
          ('izmir', 4, '2026-01-01T12:00:00+03', 1, '[]')
        """);
  }

  @AfterAll
  static void close() throws IOException {
    shop.close();
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = shop.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The page's own example, on this database, in files that can be read here. */
  private Trial trial(String format) throws IOException {
    String yaml =
        Page.all().stream()
            .flatMap(page -> page.blocks("yaml").stream())
            .filter(block -> block.page().equals("exports.md"))
            .findFirst()
            .orElseThrow()
            .text();
    return Trial.with(
        folder,
        yaml.replaceFirst(
                "\\{jdbc: .*}", "{jdbc: \"" + shop.getJdbcUrl("postgres", "postgres") + "\"}")
            .replace("format: parquet", "format: " + format)
            .replace("start: 2026-01-01}", "start: 2026-01-01, end: 2026-01-03}"));
  }

  // B31, B35, B40
  @Test
  void aSweepExportsEachCustomersDays() throws Exception {
    Trial.Ran tried =
        trial("parquet").json("try", "events", "2026-01-01", "--slice", "customer=istanbul");
    Trial trial = trial("ndjson");
    JsonNode swept = trial.json("sweep", "events").json();

    assertThat(tried.exit()).as(tried.out()).isZero();
    assertThat(tried.out()).contains("part-00000.parquet");
    assertThat(swept.path("completed").asInt()).as(swept.toString()).isEqualTo(4);
    Path day = folder.resolve("out/events/customer=istanbul/dt=2026-01-01");
    JsonNode manifest = new ObjectMapper().readTree(day.resolve("_manifest.json").toFile());
    assertThat(manifest.path("rows").asInt()).isEqualTo(2);
    assertThat(Files.readAllLines(day.resolve(manifest.at("/files/0/name").asText())))
        .containsExactly(
            "{\"id\":1,\"occurred_at\":\"2026-01-01T06:00:00.000000Z\",\"amount\":\"10.5000\",\"properties\":{\"a\": 1}}",
            "{\"id\":2,\"occurred_at\":\"2026-01-01T20:59:59.999999Z\",\"amount\":null,\"properties\":null}");
    assertThat(names(day)).filteredOn(name -> name.startsWith("_load_")).hasSize(8);
    Path empty = folder.resolve("out/events/customer=izmir/dt=2026-01-02");
    assertThat(names(empty)).contains("_manifest.json").noneMatch(name -> name.startsWith("part-"));

    JsonNode compared = trial.json("reconcile", "events").json();
    assertThat(compared.path("lost").asInt()).as(compared.toString()).isZero();
    assertThat(compared.path("orphans_removed").asInt()).as(compared.toString()).isZero();
    assertThat(names(day)).filteredOn(name -> name.startsWith("_load_")).hasSize(8);
  }

  // B25, B26: append is accepted, anything else is refused with the differences and the way out
  @Test
  void committedColumnsArePinnedForValidateAndForTheSweep() throws Exception {
    Trial trial = trial("csv");
    trial.json("sweep", "events");
    String yaml = Files.readString(folder.resolve("tidemark.yaml"));
    String amount = "          - {name: amount, type: \"decimal(18,4)\"}\n";
    List<String> files = trial.files();

    trial.write("tidemark.yaml", yaml.replace(amount, ""));
    for (Trial.Ran refused : List.of(trial.json("validate"), trial.json("sweep", "events"))) {
      assertThat(refused.exit()).as(refused.out()).isEqualTo(4);
      assertThat(refused.json().at("/error/message").asText())
          .contains("column 3 was amount decimal(18,4) and is properties json", "events-v2");
    }
    assertThat(exports(trial.files())).isEqualTo(exports(files));

    trial.write(
        "tidemark.yaml",
        yaml.replace("amount, properties from", "amount, properties, id as more from")
            .replace(
                "{name: properties, type: json}\n",
                "{name: properties, type: json}\n          - {name: more, type: bigint}\n"));
    assertThat(trial.run("validate").exit()).isZero();
    trial.write(
        "tidemark.yaml", yaml.replace("name: events", "name: events-v2").replace(amount, ""));
    assertThat(trial.run("validate").exit()).isZero();
  }

  private static List<String> exports(List<String> files) {
    return files.stream().filter(file -> file.startsWith("out")).toList();
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
