package dev.tidemark.starter.sweep;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidemark.starter.output.Table;
import dev.tidemark.starter.session.Asked;
import dev.tidemark.starter.session.CommandFailure;
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

  @Option(names = "--downstream", description = "With the pipelines that read it (not built yet).")
  private boolean downstream;

  @Option(names = "--save", paramLabel = "FILE", description = "Keeps the plan (not built yet).")
  private @Nullable Path save;

  public PlanCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    if (downstream) {
      throw CommandFailure.notBuilt("--downstream");
    }
    if (save != null) {
      throw CommandFailure.notBuilt("--save");
    }
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = Workspace.pipeline(configuration, pipeline);
    Asked.Range asked = range.range(definition);
    try (Session session = workspace.open(configuration, Services.Need.LEDGER)) {
      Plan plan =
          session
              .plans()
              .plan(
                  session.forReading(definition),
                  now.given(),
                  asked.from(),
                  asked.to(),
                  workspace.console()::notice);
      workspace.console().result(View.of(plan), () -> text(plan));
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
      List<Line> partitions) {
    static View of(Plan plan) {
      return new View(
          plan.pipeline(),
          plan.now(),
          plan.closedThrough() == null ? null : plan.closedThrough().label(),
          plan.heldByDefinition(),
          plan.partitions().stream().map(Line::of).toList());
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
