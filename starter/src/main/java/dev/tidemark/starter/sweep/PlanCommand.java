package dev.tidemark.starter.sweep;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.planning.Cascades;
import dev.tidemark.starter.output.Table;
import dev.tidemark.starter.session.Asked;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.NowOption;
import dev.tidemark.starter.session.RangeOptions;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.planning.Plan;
import dev.tidemark.workflows.planning.PlannedPartition;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plan}: what would run and why; changes nothing. */
@Command(
    name = "plan",
    description = "Shows what would run and why; changes nothing.",
    footer = "%nWith --from or --to it also lists what would not run in that range, and why not.")
public final class PlanCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Parameters(paramLabel = "PIPELINE", description = "The pipeline.")
  private String pipeline = "";

  @Mixin private final NowOption now = new NowOption();
  @Mixin private final RangeOptions range = new RangeOptions();

  @Option(
      names = "--downstream",
      description = "With what would follow in the pipelines that read it.")
  private boolean downstream;

  @Option(
      names = "--save",
      paramLabel = "FILE",
      description = "Keeps the plan, for backfill --plan.")
  private @Nullable Path save;

  public PlanCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = Workspace.pipeline(configuration, pipeline);
    Asked.Range asked = range.range(definition);
    if (save != null) {
      SavedPlan.requireWritable(save);
    }
    try (Session session = workspace.open(configuration, Services.Need.LEDGER)) {
      RegisteredPipeline registered = session.forReading(definition);
      Plan plan =
          session
              .plans()
              .plan(registered, now.given(), asked.from(), asked.to(), workspace.console()::notice);
      if (save != null) {
        SavedPlan.of(
                registered,
                plan,
                session.plans().grounds(registered, plan, workspace.console()::notice))
            .write(save);
      }
      List<Cascades.Step> cascade =
          downstream
              ? session
                  .cascades()
                  .below(
                      registered,
                      plan.partitions().stream().filter(PlannedPartition::runs).toList(),
                      plan.now())
              : null;
      workspace
          .console()
          .result(
              View.of(plan, cascade),
              () -> text(plan) + (cascade == null ? "" : CascadeTexts.text(cascade)));
    }
    return ExitCode.DONE.code();
  }

  private static String text(Plan plan) {
    long due = plan.partitions().stream().filter(PlannedPartition::runs).count();
    StringBuilder text = new StringBuilder();
    text.append(plan.pipeline())
        .append(" at ")
        .append(plan.now())
        .append(", closed through ")
        .append(plan.closedThrough() == null ? "nothing yet" : plan.closedThrough().label())
        .append(": ")
        .append(due)
        .append(due == 1 ? " partition would run\n" : " partitions would run\n");
    if (!plan.partitions().isEmpty()) {
      Table table = new Table("PARTITION", "SLICE", "ACTION", "REASON");
      for (PlannedPartition line : plan.partitions()) {
        table.row(
            line.window().label(),
            line.slice().canonical(),
            Line.action(line),
            line.reason().code());
      }
      text.append(table.render());
    }
    if (plan.heldByDefinition() > 0) {
      text.append(plan.heldByDefinition())
          .append(plan.heldByDefinition() == 1 ? " was" : " were")
          .append(" made with an older definition; backfill with --mode stale makes them again\n");
    }
    return text.toString();
  }

  /** The plan as JSON (contracts, section 1). */
  record View(
      String pipeline,
      Instant now,
      @JsonProperty("closed_through") @Nullable String closedThrough,
      @JsonProperty("definition_ask") int heldByDefinition,
      List<Line> partitions,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Below> downstream) {
    static View of(Plan plan, @Nullable List<Cascades.Step> cascade) {
      return new View(
          plan.pipeline(),
          plan.now(),
          plan.closedThrough() == null ? null : plan.closedThrough().label(),
          plan.heldByDefinition(),
          plan.partitions().stream().map(Line::of).toList(),
          cascade == null ? null : cascade.stream().map(Below::of).toList());
    }
  }

  /** One pipeline that would follow; {@code partitions} are bounded, the counts are not. */
  record Below(
      String pipeline,
      int runs,
      Map<String, Integer> skips,
      @JsonProperty("estimated_seconds") @Nullable Double estimatedSeconds,
      List<Line> partitions) {
    static Below of(Cascades.Step step) {
      return new Below(
          step.pipeline(),
          step.runs(),
          step.skips(),
          step.estimate() == null ? null : step.estimate().toMillis() / 1000.0,
          step.partitions().stream().map(Line::of).toList());
    }
  }

  /** One partition of it. */
  record Line(String partition, Map<String, String> slice, String action, String reason) {
    static Line of(PlannedPartition line) {
      return new Line(
          line.window().label(), line.slice().values(), action(line), line.reason().code());
    }

    static String action(PlannedPartition line) {
      return line.runs() ? "run" : "skip";
    }
  }
}
