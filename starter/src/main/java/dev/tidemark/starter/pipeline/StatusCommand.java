package dev.tidemark.starter.pipeline;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.breaker.OpenBreaker;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.starter.output.Table;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.NowOption;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code status}: how each pipeline stands. */
@Command(
    name = "status",
    description = "Shows how pipelines stand: counts, complete through, oldest hole, late.")
public final class StatusCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Parameters(
      paramLabel = "PIPELINE",
      arity = "0..1",
      description = "The pipeline (default: each of the configuration).")
  private @Nullable String pipeline;

  @Mixin private final NowOption now = new NowOption();

  public StatusCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    List<PipelineDefinition> definitions =
        pipeline == null
            ? configuration.pipelines()
            : List.of(Workspace.pipeline(configuration, pipeline));
    try (Session session = workspace.open(configuration, Services.Need.LEDGER)) {
      LedgerReader reader = new LedgerReader(session.ledger());
      Outputs outputs = new Outputs(session.ledger());
      List<Line> lines = new ArrayList<>();
      for (PipelineDefinition definition : definitions) {
        RegisteredPipeline registered = session.forReading(definition);
        lines.add(
            Line.of(
                reader.status(registered, session.slices(registered), now.given()),
                outputs.missing(registered),
                reader.breakers(registered)));
      }
      workspace.console().result(new View(lines), () -> text(lines));
    }
    return ExitCode.DONE.code();
  }

  private static String text(List<Line> lines) {
    StringBuilder text = new StringBuilder();
    for (Line line : lines) {
      text.append(line.pipeline())
          .append(line.paused() ? " (paused)" : "")
          .append(", revision ")
          .append(line.revision())
          .append('\n');
      Table facts = new Table("  closed through", orNone(line.closedThrough()));
      facts.row("  complete through", orNone(line.completeThrough()));
      facts.row("  oldest hole", orNone(line.oldestHole()));
      facts.row("  late", line.late());
      facts.row("  stale definition", line.staleDefinition());
      facts.row("  freshness", line.freshness());
      if (line.outputsMissing() != null) {
        facts.row(
            "  outputs missing",
            line.outputsMissing() + ", and none of them due: reconcile --confirm decides");
      }
      for (LeftAlone account : line.leftAlone()) {
        facts.row("  left alone", account.text());
      }
      line.counts().forEach((state, count) -> facts.row("  " + state, count));
      text.append(facts.render());
    }
    return text.toString();
  }

  private static String orNone(@Nullable String label) {
    return label == null ? "none" : label;
  }

  /** The status as JSON (contracts, section 1). */
  record View(List<Line> pipelines) {}

  /** One pipeline of it. */
  record Line(
      String pipeline,
      boolean paused,
      int revision,
      @JsonProperty("closed_through") @Nullable String closedThrough,
      @JsonProperty("complete_through") @Nullable String completeThrough,
      @JsonProperty("oldest_hole") @Nullable String oldestHole,
      int late,
      @JsonProperty("stale_definition") int staleDefinition,
      Map<String, Integer> counts,
      String freshness,
      @JsonProperty("outputs_missing") @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable Integer outputsMissing,
      @JsonProperty("outputs_missing_since") @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable Instant outputsMissingSince,
      @JsonProperty("left_alone") @JsonInclude(JsonInclude.Include.NON_EMPTY)
          List<LeftAlone> leftAlone) {
    static Line of(
        LedgerReader.Status status, Optional<Outputs.Missing> missing, List<OpenBreaker> breakers) {
      return new Line(
          status.pipeline(),
          status.paused(),
          status.revision(),
          status.closedThrough(),
          status.completeThrough(),
          status.oldestHole(),
          status.late(),
          status.staleDefinition(),
          status.counts(),
          status.freshness(),
          missing.map(Outputs.Missing::count).orElse(null),
          missing.map(Outputs.Missing::since).orElse(null),
          breakers.stream().map(LeftAlone::of).toList());
    }
  }

  /** An account whose destination refuses it; until then none of its partitions is tried. */
  record LeftAlone(
      String account,
      int refusals,
      Instant since,
      Instant until,
      @JsonProperty("error") String error) {
    static LeftAlone of(OpenBreaker breaker) {
      return new LeftAlone(
          breaker.account(),
          breaker.refusals(),
          breaker.openedAt(),
          breaker.until(),
          breaker.lastError());
    }

    private String text() {
      return "account %s until %s: %d refusals in a row, the last: %s"
          .formatted(account, until, refusals, error);
    }
  }
}
