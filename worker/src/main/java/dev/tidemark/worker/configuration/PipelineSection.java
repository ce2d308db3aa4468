package dev.tidemark.worker.configuration;

import dev.tidemark.worker.definition.Defaults;
import dev.tidemark.worker.definition.Draft;
import dev.tidemark.worker.definition.Violation;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.worker.yaml.Value;
import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads one pipeline. */
final class PipelineSection {
  private static final List<String> KEYS =
      List.of(
          "name",
          "partitions",
          "slices",
          "account",
          "account-id",
          "weight",
          "breaker",
          "closes-after",
          "closes-at",
          "sweep",
          "order",
          "inputs",
          "lookback",
          "late-data",
          "stateful",
          "catch-up",
          "on-definition-change",
          "frozen",
          "keep",
          "limits",
          "retry",
          "freshness",
          "notify",
          "on-failure",
          "task",
          "output");

  private final Section section;
  private final ConnectionsSection connections;

  PipelineSection(Section section, ConnectionsSection connections) {
    this.section = section;
    this.connections = connections;
  }

  /** The pipeline, or null where too much of it is missing; every problem is reported. */
  @Nullable PipelineDefinition read() {
    section.only(KEYS, Later.KEYS);
    String name = section.require("name", Types.NAME);
    Partitioning partitions = PartitionsSection.read(section);
    Draft.Space space =
        new Draft.Space(
            SlicesSection.read(section, connections),
            section.get("account", Type.TEXT),
            AccountsSection.id(section, connections),
            closure(),
            section.get("keep", Types.PERIOD));
    Integration integration = integration();
    Pace pace = PaceSection.read(section, integration.stateful());
    TaskSpec task = TaskSection.read(section, connections);
    OutputSpec output = OutputSection.read(section, connections, space.slices());
    Draft draft =
        new Draft(
            partitions,
            space,
            InputsSection.read(section, connections),
            integration,
            pace,
            task,
            output);
    for (Violation violation : draft.violations()) {
      section.problem(violation.key(), violation.message());
    }
    if (name == null || partitions == null || task == null) {
      return null;
    }
    return new PipelineDefinition(
        name, space.extent(partitions), draft.inputs(), integration, pace, task, output);
  }

  private Closure closure() {
    Duration after = section.get("closes-after", Types.DURATION);
    LocalTime at = section.get("closes-at", Types.TIME);
    if (section.has("closes-after") && section.has("closes-at")) {
      section.problem("closes-at", "and closes-after exclude each other; keep one");
    }
    if (at != null) {
      return new Closure.AtWallTime(at);
    }
    return after == null ? Defaults.CLOSURE : new Closure.AfterDelay(after);
  }

  private Integration integration() {
    boolean stateful = section.get("stateful", Types.FLAG, false);
    Section late = section.section("late-data");
    late.only(List.of("accept", "strategy"), Later.KEYS);
    return new Integration(
        lookback(),
        late.get("accept", Types.PERIOD, Defaults.ACCEPT),
        late.get("strategy", Types.choice(Integration.Strategy.class), Defaults.strategy(stateful)),
        stateful,
        section.get("frozen", Types.FLAG, Defaults.INTEGRATION.frozen()),
        section.get(
            "on-definition-change",
            Types.choice(Integration.OnDefinitionChange.class),
            Defaults.INTEGRATION.onDefinitionChange()));
  }

  /** A number n is 1 to n, a list is itself. */
  private List<Integer> lookback() {
    Value value = section.value("lookback");
    if (value == null) {
      return Defaults.INTEGRATION.lookback();
    }
    if (value.isList()) {
      return value.list(Types.number(1, Integration.MAX_LOOKBACK));
    }
    Integer windows = value.as(Types.number(0, Integration.MAX_LOOKBACK));
    return windows == null ? List.of() : IntStream.rangeClosed(1, windows).boxed().toList();
  }
}
