package dev.tidemark.starter.partition;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.planning.Explanation;
import dev.tidemark.starter.output.Table;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.NowOption;
import dev.tidemark.starter.session.OnePartition;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code explain}: why a partition is due or not (c-M7). */
@Command(
    name = "explain",
    description = "Explains one partition: due or not, every reason, its attempts.")
public final class ExplainCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Mixin private final OnePartition asked = new OnePartition();
  @Mixin private final NowOption now = new NowOption();

  public ExplainCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = asked.definition(configuration);
    Window window = asked.window(definition);
    Slice whole = asked.slice(definition);
    try (Session session = workspace.open(configuration, Services.Need.LEDGER)) {
      RegisteredPipeline registered = session.forReading(definition);
      Explanation explanation =
          session
              .plans()
              .explain(registered, window, whole, now.given())
              .readBy(session.cascades().dependents(registered, window));
      explanation.notices().forEach(workspace.console()::notice);
      workspace.console().result(explanation, () -> text(explanation));
    }
    return ExitCode.DONE.code();
  }

  private static String text(Explanation told) {
    String slice = Slice.of(told.slice()).canonical();
    StringBuilder text = new StringBuilder();
    text.append(told.pipeline())
        .append(' ')
        .append(told.partition())
        .append(slice.isEmpty() ? "" : " " + slice)
        .append(": ")
        .append(told.state())
        .append(told.due() ? ", due\n" : ", not due\n");
    for (Explanation.Because because : told.reasons()) {
      text.append("  ")
          .append(because.code())
          .append(": ")
          .append(because.detail())
          .append(because.since() == null ? "" : " (since " + because.since() + ")")
          .append('\n');
    }
    if (told.freshness().deadline() != null) {
      text.append("  freshness: ")
          .append(told.freshness().state())
          .append(", to be committed by ")
          .append(told.freshness().deadline())
          .append('\n');
    }
    for (Explanation.Dependent reader : told.dependents()) {
      text.append("  read by ")
          .append(reader.pipeline())
          .append(' ')
          .append(reader.first())
          .append(reader.windows() == 1 ? "" : " to " + reader.last())
          .append('\n');
    }
    if (told.attempts().isEmpty()) {
      return text.append("no attempts yet\n").toString();
    }
    Table table = new Table("TOKEN", "BEGAN", "ENDED", "OUTCOME", "BY", "ERROR");
    for (Explanation.Attempt attempt : told.attempts()) {
      table.row(
          attempt.token(),
          attempt.beganAt(),
          attempt.endedAt(),
          attempt.outcome(),
          attempt.claimedBy(),
          attempt.error() == null ? null : attempt.error().lines().findFirst().orElse(""));
    }
    return text.append(table.render()).toString();
  }
}
