package dev.tidemark.worker.plugin;

import static dev.tidemark.workflows.pipeline.Integration.Strategy.CURRENT_FIRST;
import static dev.tidemark.workflows.pipeline.Integration.Strategy.LATE_FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.account.AccountKey;
import dev.tidemark.activities.inputs.ChangeDetector;
import dev.tidemark.activities.task.PartitionTask;
import dev.tidemark.worker.configuration.ConfigurationException;
import dev.tidemark.worker.configuration.ConfigurationLoader;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.pipeline.Accounts;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.Retry;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalTime;
import java.time.Period;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PipelineTest {
  private static final ZoneId ISTANBUL = ZoneId.of("Europe/Istanbul");
  private static final PartitionTask TASK = context -> context.log("done");
  private static final ChangeDetector DETECTOR = (range, found) -> {};

  @TempDir Path folder;

  private PipelineDefinition fromFile(String yaml) throws IOException, ConfigurationException {
    Path file = Files.writeString(folder.resolve("tidemark.yaml"), yaml);
    return new ConfigurationLoader(Map.of("TEMPORAL_CONFIG_FILE", folder + "/none.toml"))
        .load(file)
        .pipelines()
        .get(0);
  }

  @Test
  void theExampleOfTheContractsIsDeclared() {
    Pipeline sales =
        Pipeline.named("daily-sales")
            .daily(ISTANBUL)
            .from("2026-01-01")
            .closesAfter(Duration.ofHours(1))
            .input(DETECTOR)
            .lateData(LateData.accept(Period.ofDays(60)).strategy(CURRENT_FIRST))
            .task(TASK)
            .output(Output.hive("out"))
            .build();

    assertThat(sales.name()).isEqualTo("daily-sales");
    assertThat(sales.task()).containsSame(TASK);
    assertThat(sales.detector()).containsSame(DETECTOR);
    assertThat(sales.definition().task())
        .isEqualTo(new TaskSpec.Java("daily-sales", Duration.ofHours(1)));
    assertThat(sales.definition().inputs())
        .containsExactly(new InputSpec.Custom("daily-sales", false));
    assertThat(sales.definition().output()).isEqualTo(new OutputSpec.Hive("out"));
  }

  @Test
  void theSameDefinitionIsMadeAsFromAFile() throws Exception {
    PipelineDefinition file =
        fromFile(
            """
            connections: {shop: {jdbc: "jdbc:postgresql://db/shop"}}
            pipelines:
              - name: sales
                partitions: {every: week, zone: Europe/Istanbul, start: 2026-W01, end: 2027-W01}
                slices:
                  - {unit: [a, b], kind: [x]}
                  - {unit: [c], kind: [y], since: 2026-W10, until: 2026-W20}
                account: unit
                account-id: {keyed-hash: "0123456789abcdef0123456789abcdef"}
                weight: {a: 3}
                breaker: {after: 2, pause: 30m}
                closes-at: "01:00"
                sweep: {cron: "0 * * * *"}
                order: oldest-first
                inputs:
                  - {files: "in/{partition}/{slice.unit}.csv"}
                  - {sql: "select :from, :to", connection: shop}
                  - {push: true}
                lookback: [1, 7]
                late-data: {accept: 90d, strategy: late-first}
                catch-up: {newest: 4}
                on-definition-change: rerun
                keep: P3Y
                limits: {partitions: 10, duration: 5m, files: 7, bytes: 2KiB, parallel: 3, per-account: 2, per-account-parallel: 1, backfill-share: 25%}
                retry: {attempts: 5, backoff: 1s, max-backoff: 1m, then-after: 1h, give-up-after: 2}
                freshness: {within: 2h}
                task: {sql: "select :slice_unit", connection: shop, replace: {table: t, where: "w = :partition and u = :slice_unit and k = :slice_kind"}}
                output: {location: out, layout: file, path: "{partition}/{slice.unit}-{slice.kind}"}
            """);

    Pipeline java =
        Pipeline.named("sales")
            .weekly(ISTANBUL)
            .from("2026-W01")
            .until("2027-W01")
            .slices(Map.of("unit", List.of("a", "b"), "kind", List.of("x")))
            .slices(Map.of("unit", List.of("c"), "kind", List.of("y")), "2026-W10", "2026-W20")
            .account("unit")
            .accountId(new AccountKey("0123456789abcdef0123456789abcdef"))
            .accounts(new Accounts(Map.of("a", 3), new Accounts.Breaker(2, Duration.ofMinutes(30))))
            .closesAt(LocalTime.of(1, 0))
            .sweepCron("0 * * * *")
            .order(Pace.Order.OLDEST_FIRST)
            .input(Input.files("in/{partition}/{slice.unit}.csv"))
            .input(Input.sql("select :from, :to", "shop"))
            .input(Input.push())
            .lookback(List.of(7, 1))
            .lateData(LateData.accept(Period.ofDays(90)).strategy(LATE_FIRST))
            .catchUp(new CatchUp.Newest(4))
            .onDefinitionChange(Integration.OnDefinitionChange.RERUN)
            .keep(Period.ofYears(3))
            .limits(new Limits(10, Duration.ofMinutes(5), 3, 2, 1, 25, new Limits.Volume(7, 2048L)))
            .retry(
                new Retry(5, Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofHours(1), 2))
            .freshWithin(Duration.ofHours(2))
            .task(
                Task.sql(
                    "select :slice_unit",
                    "shop",
                    "t",
                    "w = :partition and u = :slice_unit and k = :slice_kind"))
            .output(Output.file("out", "{partition}/{slice.unit}-{slice.kind}"))
            .build();

    assertThat(java.definition()).isEqualTo(file);
    assertThat(java.task()).isEmpty();
  }

  @Test
  void aTaskOfAnotherSdkIsWhatItIsInAFile() throws Exception {
    String pipeline =
        """
        pipelines:
          - name: a
            partitions: {every: day, start: 2026-01-01}
            task: {%s: {type: T, task-queue: python}}
        """;

    assertThat(fromFile(pipeline.formatted("activity")).task())
        .isEqualTo(Task.activity("T", "python"));
    assertThat(fromFile(pipeline.formatted("workflow")).task())
        .isEqualTo(Task.workflow("T", "python"));
    assertThatThrownBy(
            () ->
                Pipeline.named("a")
                    .daily(ZoneId.of("UTC"))
                    .from("2026-01-01")
                    .task(Task.activity(" ", "/_sys/q"))
                    .build())
        .hasMessageContaining("task.activity.type: must have 1 to 200 characters")
        .hasMessageContaining("task.activity.task-queue: begins with /_sys/");
  }

  @Test
  void theSameDefaultsAreTakenAsFromAFile() throws Exception {
    PipelineDefinition file =
        fromFile(
            """
            pipelines:
              - name: a
                partitions: {every: day, start: 2026-01-01}
                task: {command: [sh, -c, "true"]}
            """);

    assertThat(
            Pipeline.named("a")
                .daily(ZoneId.of("UTC"))
                .from("2026-01-01")
                .task(Task.command("sh", "-c", "true"))
                .build()
                .definition())
        .isEqualTo(file);
  }

  // C3, C20
  @Test
  void aStatefulPipelineIsLateFirstAndOldestFirstByItself() throws Exception {
    PipelineDefinition file =
        fromFile(
            """
            pipelines:
              - name: balance
                partitions: {every: day, start: 2026-01-01}
                stateful: true
                late-data: {accept: 90d}
                task: {command: [sh, -c, "true"]}
            """);
    PipelineDefinition declared =
        Pipeline.named("balance")
            .daily(ZoneId.of("UTC"))
            .from("2026-01-01")
            .stateful()
            .lateData(LateData.accept(Period.ofDays(90)))
            .task(Task.command("sh", "-c", "true"))
            .build()
            .definition();

    assertThat(declared).isEqualTo(file);
    assertThat(declared.integration().strategy()).isEqualTo(LATE_FIRST);
    assertThat(declared.pace().order()).isEqualTo(Pace.Order.OLDEST_FIRST);
  }

  @Test
  void everyGrainHasAName() {
    Pipeline.Windows windows = Pipeline.named("a");

    assertThat(
            List.of(
                windows.quarterHourly(ISTANBUL),
                windows.hourly(ISTANBUL),
                windows.daily(ISTANBUL),
                windows.weekly(ISTANBUL),
                windows.monthly(ISTANBUL),
                windows.quarterly(ISTANBUL),
                windows.yearly(ISTANBUL)))
        .zipSatisfy(
            List.of(Grain.values()),
            (builder, grain) ->
                assertThat(
                        builder
                            .from(grain == Grain.WEEK ? "2026-W01" : "2026-01-01")
                            .task(TASK)
                            .build()
                            .definition()
                            .extent()
                            .partitions()
                            .every())
                    .isEqualTo(grain));
  }

  @Test
  void everyBrokenRuleIsNamedWithThePipelineAndTheKey() {
    PipelineBuilder bad =
        Pipeline.named("sales")
            .hourly(ISTANBUL)
            .from("2026-01-01")
            .slices(Map.of("unit", List.of("a")))
            .account("uni")
            .closesAt(LocalTime.of(1, 0))
            .sweepCron("hourly")
            .freshWithin(Duration.ZERO)
            .lateData(LateData.accept(Period.ofDays(-1)))
            .keep(Period.ZERO)
            .limits(
                new Limits(1, Duration.ofHours(1), 1, null, null, 50, new Limits.Volume(null, 1L)))
            .input(Input.files("{day}.csv"))
            .task(Task.command("sh", "{output}"));

    assertThatThrownBy(bad::build)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("pipeline 'sales': account: 'uni'")
        .hasMessageContaining("closes-at: ")
        .hasMessageContaining("sweep.cron: 'hourly'")
        .hasMessageContaining("freshness.within: ")
        .hasMessageContaining("late-data.accept: ")
        .hasMessageContaining("keep: ")
        .hasMessageContaining("limits.bytes: ")
        .hasMessageContaining("inputs[0].files: has the placeholder {day}")
        .hasMessageContaining("task.command[1]: uses {output}");
  }

  @Test
  void whatIsMissingIsNamed() {
    PipelineBuilder builder = Pipeline.named("sales").daily(ISTANBUL);

    assertThatThrownBy(builder::build)
        .hasMessageContainingAll("'sales'", "partitions.start", "from()");
    builder.from("2026-02-30");
    assertThatThrownBy(builder::build).hasMessageContaining("'sales': task");
    builder.task(TASK);
    assertThatThrownBy(builder::build).hasMessageContaining("partitions.start: ");
    assertThatThrownBy(() -> builder.lookback(-1)).hasMessageContaining("lookback");
    builder.input(DETECTOR);
    assertThatThrownBy(() -> builder.input(DETECTOR)).hasMessageContaining("one detector");
  }

  @Test
  void aPipelineDoesNotChangeWithItsBuilder() {
    PipelineBuilder builder =
        Pipeline.named("a").daily(ISTANBUL).from("2026-01-01").task(TASK).input(Input.push());
    Pipeline before = builder.build();

    builder.input(Input.files("{partition}")).slices(Map.of("unit", List.of("a")));

    assertThat(before.definition().inputs()).containsExactly(new InputSpec.Push());
    assertThat(before.definition().extent().slices()).isEmpty();
  }
}
