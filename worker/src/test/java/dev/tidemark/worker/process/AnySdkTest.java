package dev.tidemark.worker.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.LedgerReader.AttemptView;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.worker.embedded.TestServices;
import dev.tidemark.worker.plugin.Output;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.Retry;
import dev.tidemark.workflows.pipeline.TaskSpec;
import dev.tidemark.workflows.sweep.SweepReport;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowStub;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Partitions that a worker in Python runs: real Temporal, real PostgreSQL, a real Python. */
@Timeout(120)
class AnySdkTest {
  private static final String FAMILY = "f" + UUID.randomUUID().toString().substring(0, 8);
  private static final String PYTHON = FAMILY + "-python";
  private static final Instant NOW = Instant.parse("2026-02-01T00:30:00Z");

  @TempDir static Path folder;
  private static PythonWorker python;
  private static TidemarkWorker worker;

  private final TidemarkClient tidemark = new TidemarkClient(TestServices.client(), FAMILY);
  private final LedgerReader ledger = new LedgerReader(TestServices.ledger());

  @BeforeAll
  static void start() throws IOException {
    Files.createDirectory(folder.resolve("input"));
    python = new PythonWorker(folder, PYTHON);
    worker =
        TidemarkWorker.start(
            TestServices.client(),
            TestServices.ledger(),
            new WorkerSetup(
                FAMILY, folder, Map.of(), List.of(), Bindings.NONE, Duration.ofSeconds(5)));
  }

  @AfterAll
  static void stop() throws InterruptedException {
    worker.close();
    python.kill();
  }

  // The first attempt at the second day fails, and its file is corrected before the second.
  @Test
  void activitiesAndWorkflowsRunEachPartition() throws Exception {
    RegisteredPipeline activities = register("a", activity(PYTHON, 30), 1, 5);
    RegisteredPipeline workflows = register("w", workflow(PYTHON, 30), 1, 5);
    for (int day = 1; day < 5; day++) {
      input(day, day == 2 ? "1\nx\n" : "1\n" + day + "\n");
    }
    WorkflowStub first = sweep(activities);
    WorkflowStub second = sweep(workflows);
    await(() -> hasFailed(activities, 2) && hasFailed(workflows, 2));
    input(2, "1\n2\n");

    assertThat(report(first).completed()).isEqualTo(4);
    assertThat(report(second).completed()).isEqualTo(4);
    for (RegisteredPipeline pipeline : List.of(activities, workflows)) {
      assertThat(outcomes(pipeline, 1)).containsExactly("committed");
      // A second attempt may be quicker than the correction.
      assertThat(outcomes(pipeline, 2))
          .startsWith("committed", "failed")
          .containsOnlyOnce("committed")
          .containsOnly("committed", "failed");
      assertThat(attempts(pipeline, 2).get(1).error()).startsWith("ValueError: invalid literal");
      assertThat(output(pipeline, 4)).isEqualTo("{\"total\": 5}");
      assertThat(manifest(pipeline, 4)).contains("\"rows\":2");
      assertThat(staged(pipeline)).isEmpty();
    }
  }

  @Test
  void aWorkerThatIsKilledIsFoundByItsSilenceAndSpendsNothing() throws Exception {
    RegisteredPipeline pipeline = register("k", activity(PYTHON, 30), 10, 11);
    makeSlow(10);
    WorkflowStub sweep = sweep(pipeline);
    try (OutputStream read = openForReader(10)) {
      assertThat(read).isNotNull();
      python.kill();
      input(10, "40\n2\n");
    }
    await(() -> outcomes(pipeline, 10).contains("lost"));
    python.startAgain();

    assertThat(report(sweep).completed()).isOne();
    assertThat(outcomes(pipeline, 10)).containsExactly("committed", "lost");
    assertThat(attempts(pipeline, 10).get(1).error()).contains("no heartbeat for PT2S");
    assertThat(output(pipeline, 10)).isEqualTo("{\"total\": 42}");
    assertThat(staged(pipeline)).isEmpty();
  }

  @Test
  void theWorkflowOfACancelledPartitionIsCancelled() throws Exception {
    RegisteredPipeline pipeline = register("c", workflow(PYTHON, 30), 20, 21);
    input(20, "1\n");
    report(sweep(pipeline));
    Files.delete(file(20));
    makeSlow(20);
    BackfillView asked = tidemark.requestBackfill(pipeline.name(), all(day(20)));
    try (OutputStream read = openForReader(20)) {
      assertThat(read).isNotNull();
      new Backfills(TestServices.ledger()).cancel(Objects.requireNonNull(asked.backfillId()), true);

      String id = "tidemark/" + pipeline.name() + "/2026-01-20/";
      long token = attempts(pipeline, 20).get(0).token();
      await(() -> status(id + token) == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED);
    }
    assertThat(outcomes(pipeline, 20)).containsExactly("released", "committed");
  }

  @Test
  void whereNoWorkerIsItIsSaidAndNothingIsSpent() throws Exception {
    String nobody = FAMILY + "-nobody";
    RegisteredPipeline activities = register("na", activity(nobody, 1), 25, 26);
    RegisteredPipeline workflows = register("nw", workflow(nobody, 1), 25, 26);
    WorkflowStub first = sweep(activities);
    WorkflowStub second = sweep(workflows);

    for (SweepReport report : List.of(report(first), report(second))) {
      assertThat(report.completed() + report.failed()).isZero();
    }
    for (RegisteredPipeline pipeline : List.of(activities, workflows)) {
      assertThat(outcomes(pipeline, 25)).containsExactly("not_ready");
      var all = new LedgerReader.Filter(null, null, List.of(), Slice.EMPTY);
      Map<String, ?> row = ledger.partitions(pipeline, all, 1).get(0);
      assertThat(row.get("last_error"))
          .asString()
          .startsWith("no worker took it from task queue '" + nobody + "'");
    }
  }

  private static TaskSpec activity(String queue, int startSeconds) {
    return new TaskSpec.Activity(
        "AddUp",
        queue,
        Duration.ofSeconds(startSeconds),
        Duration.ofSeconds(2),
        Duration.ofMinutes(1));
  }

  private static TaskSpec workflow(String queue, int startSeconds) {
    return new TaskSpec.Workflow(
        "AddUpInSteps", queue, Duration.ofSeconds(startSeconds), Duration.ofMinutes(1));
  }

  private static RegisteredPipeline register(String letter, TaskSpec task, int from, int until) {
    Pipeline pipeline =
        Pipeline.named(FAMILY + "-" + letter)
            .daily(ZoneOffset.UTC)
            .from(day(from))
            .until(day(until))
            .task(task)
            .retry(
                new Retry(3, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofHours(1), 10))
            .output(Output.hive(folder.resolve("out").toString()))
            .build();
    return new Definitions(TestServices.ledger())
        .register(pipeline.definition(), "test")
        .pipeline();
  }

  private static String day(int day) {
    return "2026-01-%02d".formatted(day);
  }

  private static Path file(int day) {
    return folder.resolve("input").resolve(day(day) + ".txt");
  }

  /** In place of what was there, in one step. */
  private static void input(int day, String content) throws IOException {
    Path made = Files.writeString(folder.resolve("made"), content);
    Files.move(made, file(day), StandardCopyOption.REPLACE_EXISTING);
  }

  /** A pipe that nothing is written to: whoever reads it waits. */
  private static void makeSlow(int day) throws Exception {
    assertThat(new ProcessBuilder("mkfifo", file(day).toString()).start().waitFor()).isZero();
  }

  /** Waits until somebody reads the pipe; closing it would be its end. */
  private static OutputStream openForReader(int day) throws IOException {
    return Files.newOutputStream(file(day), StandardOpenOption.WRITE);
  }

  private WorkflowStub sweep(RegisteredPipeline pipeline) {
    return tidemark.startSweep(pipeline.name(), NOW, UUID.randomUUID().toString());
  }

  private SweepReport report(WorkflowStub sweep) throws Exception {
    return tidemark.awaitSweep(sweep, Duration.ofSeconds(60));
  }

  private static BackfillRequest all(String day) {
    return new BackfillRequest(
        null, day, day, null, BackfillRequest.Mode.ALL, null, null, null, null, "test", NOW);
  }

  private List<AttemptView> attempts(RegisteredPipeline pipeline, int day) {
    return ledger.attempts(pipeline, Slice.EMPTY, day(day), 10);
  }

  private List<String> outcomes(RegisteredPipeline pipeline, int day) {
    return attempts(pipeline, day).stream().map(AttemptView::outcome).toList();
  }

  private boolean hasFailed(RegisteredPipeline pipeline, int day) {
    return outcomes(pipeline, day).contains("failed");
  }

  private static Path partition(RegisteredPipeline pipeline, int day) {
    return folder.resolve("out").resolve(pipeline.name()).resolve("dt=" + day(day));
  }

  private static String output(RegisteredPipeline pipeline, int day) throws IOException {
    try (Stream<Path> files = Files.list(partition(pipeline, day))) {
      Path part =
          files.filter(file -> file.getFileName().toString().startsWith("part-")).toList().get(0);
      return Files.readString(part);
    }
  }

  private static String manifest(RegisteredPipeline pipeline, int day) throws IOException {
    return Files.readString(partition(pipeline, day).resolve("_manifest.json")).replace(" ", "");
  }

  private static List<Path> staged(RegisteredPipeline pipeline) throws IOException {
    try (Stream<Path> below =
        Files.walk(folder.resolve("out").resolve(pipeline.name()).resolve("_staging"))) {
      return below.filter(Files::isRegularFile).toList();
    }
  }

  private static WorkflowExecutionStatus status(String workflowId) {
    return TestServices.client().newUntypedWorkflowStub(workflowId).describe().getStatus();
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    while (!condition.call()) {
      Thread.sleep(50);
    }
  }
}
