package dev.tidemark.starter.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands beside a running {@code dev}: one pipeline for each test. */
class DevTest {
  @TempDir static Path folder;
  private static Trial trial;
  private static DevProcess dev;

  private static String pipeline(String name, String task) {
    return """
      - name: %s
        partitions: {every: day, start: 2024-01-01, end: 2024-01-04}
        sweep: {every: 30d}
        late-data: {accept: 36500d}
        inputs: [{push: true}]
        retry: {attempts: 1, backoff: 1s, then-after: 1h, give-up-after: 1}
        task: {command: ["sh", "-c", "%s"]}
        output: {location: ./out, layout: hive}
    """
        .formatted(name, task);
  }

  private static final String GOOD = "echo did {partition}; echo {partition} > {output}/x.txt";

  @BeforeAll
  static void start() throws IOException, InterruptedException {
    trial =
        Trial.with(
            folder,
            "pipelines:\n"
                + pipeline("swept", GOOD)
                + pipeline("failing", "echo no luck; test {partition} != 2024-01-02")
                + pipeline("paused", GOOD)
                + pipeline("unreadable", GOOD)
                + pipeline("asked", GOOD)
                + pipeline("pushed", GOOD)
                + pipeline("scheduled", GOOD)
                + pipeline("removed", GOOD)
                + pipeline("unattended", GOOD)
                + pipeline("leaving", "touch begun; sleep 2; " + GOOD));
    dev = DevProcess.start(trial, folder.resolve("dev.log"));
  }

  // A clean stop is a success, not the exit code of the signal; what runs may finish (docs:
  // Stopping)
  @AfterAll
  static void stop() throws InterruptedException {
    try (DevProcess stopping = dev) {
      json("backfill", "leaving", "--from", "2024-01-01", "--to", "2024-01-01");
      Awaited.until("a partition runs", () -> Files.exists(folder.resolve("begun")));

      assertThat(stopping.terminate()).as(stopping.said()).isZero();

      assertThat(folder.resolve("out/leaving/dt=2024-01-01/_manifest.json")).exists();
    }
  }

  private static JsonNode json(String... arguments) {
    Trial.Ran ran = trial.json(arguments);
    assertThat(ran.exit()).as(ran.out() + ran.err()).isZero();
    return ran.json();
  }

  private static List<String> fields(JsonNode object) {
    List<String> names = new java.util.ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  // B42
  @Test
  void thePageShowsItsPipelines() throws Exception {
    Matcher page =
        Pattern.compile("^page +(http://127\\.0\\.0\\.1:\\d+)", Pattern.MULTILINE)
            .matcher(dev.said());
    assertThat(page.find()).as(dev.said()).isTrue();

    HttpResponse<String> overview = get(page.group(1) + "/api/overview");

    assertThat(overview.statusCode()).isEqualTo(200);
    assertThat(overview.body()).contains("swept", "unattended");
    assertThat(get(page.group(1) + "/health/ready").statusCode()).isEqualTo(200);
  }

  private static HttpResponse<String> get(String url) throws Exception {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
  }

  @Test
  void aSweepRunsWhatIsDueOnce() {
    JsonNode before = json("status", "swept").at("/pipelines/0");
    JsonNode first = json("sweep", "swept");
    JsonNode second = json("sweep", "swept");

    assertThat(before.path("complete_through").isNull()).as("nothing is done yet").isTrue();
    assertThat(before.path("oldest_hole").asText()).isEqualTo("2024-01-01");
    assertThat(before.at("/counts/never_attempted").asInt()).isEqualTo(3);
    assertThat(fields(first))
        .contains("pipeline", "now", "planned", "claimed", "completed", "failed", "remaining");
    assertThat(first.path("completed").asInt()).isEqualTo(3);
    assertThat(second.path("claimed").asInt()).isZero();
    assertThat(folder.resolve("out/swept/dt=2024-01-03/_manifest.json")).exists();
    JsonNode status = json("status", "swept").at("/pipelines/0");
    assertThat(status.path("complete_through").asText()).isEqualTo("2024-01-03");
    assertThat(status.path("oldest_hole").isNull()).isTrue();
    assertThat(fields(status.path("counts")))
        .containsExactlyInAnyOrder(
            "never_attempted",
            "queued",
            "running",
            "completed",
            "failed",
            "parked",
            "excused",
            "too_late");
  }

  @Test
  void aPartitionThatFailsMakesTheSweepExitWith1AndSaysWhy() {
    Trial.Ran sweep = trial.json("sweep", "failing");

    assertThat(sweep.exit()).as(sweep.out() + sweep.err()).isEqualTo(1);
    assertThat(sweep.json().path("completed").asInt()).isEqualTo(2);
    assertThat(sweep.json().path("failed").asInt()).isEqualTo(1);
    JsonNode parked = json("partitions", "failing", "--state", "parked").path("partitions");
    assertThat(parked).hasSize(1);
    assertThat(parked.at("/0/slice").isObject()).isTrue();
    assertThat(parked.at("/0/partition").asText()).isEqualTo("2024-01-02");
    JsonNode explained = json("explain", "failing", "2024-01-02");
    assertThat(explained.path("due").asBoolean()).isFalse();
    assertThat(explained.at("/reasons/0/code").asText()).isEqualTo("parked");
    assertThat(explained.at("/attempts/0/outcome").asText()).isEqualTo("parked");
    assertThat(json("logs", "failing", "2024-01-02", "--attempt", "1").path("log").asText())
        .isEqualTo("no luck");
    assertThat(trial.run("logs", "failing", "2024-01-02", "--attempt", "9").exit()).isEqualTo(2);
    JsonNode excused = json("excuse", "failing", "2024-01-02", "--reason", "lost at the source");
    assertThat(excused.path("changed").asInt()).isEqualTo(1);
    assertThat(json("status", "failing").at("/pipelines/0/complete_through").asText())
        .isEqualTo("2024-01-03");
  }

  // c-F4
  @Test
  void aPausedPipelineRefusesASweepAndResumeListsTheGap() {
    json("pause", "paused");

    Trial.Ran refused = trial.json("sweep", "paused");
    JsonNode resumed = json("resume", "paused");

    assertThat(refused.exit()).isEqualTo(4);
    assertThat(refused.json().at("/error/code").asText()).isEqualTo("refused");
    assertThat(resumed.path("paused").asBoolean()).isFalse();
    assertThat(resumed.path("gap")).hasSize(3);
  }

  // c-F4
  @Test
  void aResumeWakesThePipelineAlsoWhereTheGapCannotBeListed() throws Exception {
    json("excuse", "unreadable", "2024-01-03", "--reason", "its row becomes unreadable");
    json("pause", "unreadable");
    try (Connection ledger = DriverManager.getConnection(published().path("ledger_url").asText());
        Statement statement = ledger.createStatement()) {
      statement.execute(
          """
          update tidemark.partition_ledger r
             set slice = '%'
            from tidemark.pipeline p
           where p.pipeline_id = r.pipeline_id
             and p.name = 'unreadable'
             and r.partition = '2024-01-03'
          """);
    }

    Trial.Ran resumed = trial.json("resume", "unreadable");

    assertThat(resumed.exit()).as(resumed.out() + resumed.err()).isZero();
    assertThat(resumed.json().path("paused").asBoolean()).isFalse();
    assertThat(resumed.json().path("gap").isNull()).isTrue();
    assertThat(resumed.err()).contains("what it will fill cannot be listed");
    Awaited.until(
        "what was woken makes what is missing",
        () -> Files.exists(folder.resolve("out/unreadable/dt=2024-01-02/_manifest.json")));
  }

  private static JsonNode published() throws IOException {
    return new ObjectMapper()
        .readTree(folder.resolve(".tidemark/services.json").toFile())
        .path("published");
  }

  @Test
  void aBackfillIsAskedForFollowedAndListed() {
    JsonNode preview =
        json("backfill", "asked", "--from", "2024-01-01", "--to", "2024-01-02", "--dry-run");
    JsonNode done =
        json("backfill", "asked", "--from", "2024-01-01", "--to", "2024-01-02", "--wait");
    JsonNode nothing =
        json("backfill", "asked", "--from", "2024-01-01", "--to", "2024-01-02", "--wait");

    assertThat(preview.path("items")).hasSize(2);
    assertThat(preview.path("backfill_id").isNull()).isTrue();
    assertThat(fields(done))
        .contains(
            "backfill_id",
            "pipeline",
            "state",
            "partitions",
            "already_requested",
            "completed",
            "failed",
            "cancelled");
    assertThat(done.path("state").asText()).isEqualTo("completed");
    assertThat(done.path("completed").asInt()).isEqualTo(2);
    assertThat(nothing.path("partitions").asInt()).as("nothing is missing any more").isZero();
    String id = done.path("backfill_id").asText();
    assertThat(json("backfills", "show", id).path("state").asText()).isEqualTo("completed");
    assertThat(json("backfills", "list").path("backfills").findValuesAsText("backfill_id"))
        .contains(id);
    assertThat(trial.json("backfills", "show", "nosuch").exit()).isEqualTo(2);
  }

  @Test
  void aPushedChangeIsPickedUpWithoutASweep() throws InterruptedException {
    json("sweep", "pushed");

    json("changed", "pushed", "2024-01-02", "--version", "v2");

    Awaited.until(
        "the pushed version is processed",
        () ->
            json("partitions", "pushed", "--from", "2024-01-02", "--to", "2024-01-02")
                .at("/partitions/0/processed_version")
                .asText()
                .contains("v2"));
  }

  @Test
  void schedulesAreListedPausedAndResumed() {
    JsonNode paused = json("schedule", "pause", "scheduled").at("/schedules/0");
    JsonNode resumed = json("schedule", "resume", "scheduled").at("/schedules/0");

    assertThat(paused.path("pipeline").asText()).isEqualTo("scheduled");
    assertThat(paused.path("paused").asBoolean()).isTrue();
    assertThat(resumed.path("paused").asBoolean()).isFalse();
    assertThat(trial.json("schedule", "pause", "nosuch").exit()).isEqualTo(2);
  }

  @Test
  void aRemovedPipelineIsGoneAndItsOutputsStay() {
    json("sweep", "removed");

    json("remove", "removed");

    assertThat(folder.resolve("out/removed/dt=2024-01-03/_manifest.json")).exists();
    assertThat(json("schedule", "list").path("schedules").findValuesAsText("pipeline"))
        .doesNotContain("removed")
        .contains("scheduled");
    assertThat(trial.json("remove", "removed").exit()).isEqualTo(2);
  }

  @Test
  void applyingWhatIsAppliedChangesNothing() {
    JsonNode applied = json("apply", "--dry-run");

    assertThat(applied.path("dry_run").asBoolean()).isTrue();
    assertThat(applied.path("pipelines").findValuesAsText("change")).contains("unchanged");
  }

  // Bounds everywhere: a task queue that no worker serves
  @Test
  void waitingForAWorkerThatIsNotThereEndsAtItsTimeout(@TempDir Path other) throws IOException {
    Trial nobody =
        Trial.with(
            other,
            "temporal: {address: \"%s\", task-queue: nobody}\nledger: {url: \"%s\"}\npipelines:\n"
                    .formatted(
                        published().path("temporal_address").asText(),
                        published().path("ledger_url").asText())
                + pipeline("unattended", GOOD));

    Trial.Ran sweep = nobody.json("sweep", "unattended", "--timeout", "1s");
    Trial.Ran backfill =
        nobody.json(
            "backfill",
            "unattended",
            "--from",
            "2024-01-01",
            "--to",
            "2024-01-02",
            "--wait",
            "--timeout",
            "1s");

    assertThat(sweep.exit()).as(sweep.out() + sweep.err()).isEqualTo(1);
    assertThat(sweep.json().at("/error/message").asText()).contains("unattended", "PT1S");
    assertThat(backfill.exit()).as(backfill.out() + backfill.err()).isEqualTo(1);
    assertThat(backfill.json().at("/error/message").asText()).contains("tidemark worker");
  }
}
