package dev.tidemark.worker.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.activities.task.TaskContext;
import dev.tidemark.worker.embedded.TestServices;
import dev.tidemark.worker.plugin.Input;
import dev.tidemark.worker.plugin.LateData;
import dev.tidemark.worker.plugin.Output;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.worker.plugin.PipelineBuilder;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.InputSpec;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cascades through a worker (C24): real Temporal, real PostgreSQL, no schedule. Only the first
 * pipeline is ever woken by hand; nothing waits for a tick.
 */
@Timeout(240)
class CascadeTest {
  private static final int DAYS = 30;

  @TempDir Path folder;
  private final String family = "c" + UUID.randomUUID().toString().substring(0, 8);
  private final TidemarkClient tidemark = new TidemarkClient(TestServices.client(), family);
  private final Map<String, Pipeline> pipelines = new HashMap<>();
  private final Definitions definitions = new Definitions(TestServices.ledger());

  /** What the source holds, by partition; and, for the others, whether they pass it on. */
  private final Map<String, String> contents = new ConcurrentHashMap<>();

  private String deaf = "";

  private String named(String letter) {
    return family + "-" + letter;
  }

  private void has(String letter, UnaryOperator<PipelineBuilder> more, String... upstreams) {
    PipelineBuilder builder =
        Pipeline.named(named(letter))
            .daily(ZoneOffset.UTC)
            .from("2026-01-01")
            .until("2026-01-31")
            .output(Output.hive(folder.toString()))
            .task(context -> {});
    for (String upstream : upstreams) {
      builder.input(Input.upstream(named(upstream)));
    }
    if (upstreams.length == 0) {
      builder.input(new InputSpec.Push());
    }
    Pipeline pipeline = more.apply(builder).build();
    pipelines.put(letter, pipeline);
    definitions.register(pipeline.definition(), "test");
  }

  private RegisteredPipeline registered(String letter) {
    return definitions.get(named(letter));
  }

  private void has(String letter, String... upstreams) {
    has(letter, builder -> builder, upstreams);
  }

  private TidemarkWorker start() {
    Map<String, PartitionTask> tasks = new HashMap<>();
    pipelines.values().forEach(pipeline -> tasks.put(pipeline.name(), this::write));
    return TidemarkWorker.start(
        TestServices.client(),
        TestServices.ledger(),
        new WorkerSetup(
            family,
            folder,
            Map.of(),
            pipelines.values().stream().map(Pipeline::definition).toList(),
            new Bindings(tasks, Map.of()),
            Duration.ofSeconds(10)));
  }

  private void write(TaskContext context) throws Exception {
    boolean passesOn = !context.pipeline().equals(named(deaf));
    String day = context.window().label();
    Files.writeString(
        context.output().resolve("rows"),
        context.pipeline() + (passesOn ? contents.getOrDefault(day, "") : ""));
  }

  private void change(String day, String content) {
    contents.put(day, content);
    new Observations(TestServices.ledger())
        .push(registered("a"), Slice.EMPTY, day, UUID.randomUUID().toString());
  }

  private List<String> days(int count) {
    List<String> days = new ArrayList<>();
    for (int day = 1; day <= count; day++) {
      days.add("2026-01-%02d".formatted(day));
    }
    return days;
  }

  // C24, c-I1, c-I5: five in a row, and a diamond
  @Test
  void runsEachPartitionOnceInTheOrderOfItsDependencies() throws Exception {
    has("a");
    has("b", "a");
    has("c", "b");
    has("d", "c");
    has("e", "b", "d");
    has("f", "a");
    has("g", "e", "f");
    try (TidemarkWorker worker = start()) {
      assertThat(worker).isNotNull();
      tidemark.wake(named("a"));
      for (String letter : List.of("a", "b", "c", "d", "e", "f", "g")) {
        awaitAttempts(letter, DAYS);
      }
      assertNothingMore(DAYS, "a", "b", "c", "d", "e", "f", "g");

      days(12).forEach(day -> change(day, "more"));
      tidemark.wake(named("a"));
      awaitAttempts("g", DAYS + 12);
      assertNothingMore(DAYS + 12, "a", "b", "c", "d", "e", "f", "g");
    }
  }

  // c-I7; c-I6, C21: what bounds a cascade
  @Test
  void stopsAtEqualContentAtAFrozenPipelineAndAtWhatIsAccepted() throws Exception {
    deaf = "b";
    has("a");
    has("b", "a");
    has("c", "b");
    has("x", PipelineBuilder::frozen, "a");
    has("y", builder -> builder.lateData(LateData.accept(Period.ofDays(9))), "a");
    try (TidemarkWorker worker = start()) {
      assertThat(worker).isNotNull();
      tidemark.wake(named("a"));
      for (String letter : List.of("a", "b", "c", "x", "y")) {
        awaitAttempts(letter, DAYS);
      }
      days(DAYS).forEach(day -> change(day, "more"));
      tidemark.wake(named("a"));
      awaitAttempts("b", 2 * DAYS);
      awaitAttempts("y", DAYS + 10);
      awaitQuiet("a", "b", "c", "x", "y");
      assertThat(attempts("c")).isEqualTo(DAYS);
      assertThat(attempts("x")).isEqualTo(DAYS);
      assertThat(attempts("y")).isEqualTo(DAYS + 10);
    }
  }

  private void assertNothingMore(int attempts, String... letters) throws Exception {
    awaitQuiet(letters);
    for (String letter : letters) {
      assertThat(attempts(letter)).as(letter).isEqualTo(attempts);
    }
  }

  /** Nobody is about to be woken, and no workflow for asked-for work runs any more. */
  private void awaitQuiet(String... letters) throws Exception {
    for (String letter : letters) {
      await(
          letter + " to end",
          () -> {
            var description =
                TestServices.client()
                    .newUntypedWorkflowStub("tidemark/" + named(letter) + "/manual")
                    .describe();
            return !description
                .getStatus()
                .equals(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING);
          });
    }
  }

  private void awaitAttempts(String letter, int count) throws Exception {
    await(
        count + " attempts of " + letter,
        () ->
            attempts(letter) >= count
                && number(
                        "select count(*) from tidemark.partition_ledger where claim_id is not null"
                            + " and pipeline_id = "
                            + registered(letter).id())
                    == 0);
  }

  private int attempts(String letter) throws Exception {
    return number(
        "select coalesce(sum(attempts), 0) from tidemark.partition_ledger where pipeline_id = "
            + registered(letter).id());
  }

  private static int number(String sql) throws Exception {
    try (Connection connection = TestServices.ledger().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getInt(1);
    }
  }

  /** A condition that may fail. */
  @FunctionalInterface
  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(String what, Condition condition) throws Exception {
    for (int tries = 0; tries < 1200; tries++) {
      if (condition.holds()) {
        return;
      }
      Thread.sleep(50);
    }
    throw new TimeoutException("waited in vain for " + what);
  }
}
