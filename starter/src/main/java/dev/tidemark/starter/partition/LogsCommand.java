package dev.tidemark.starter.partition;

import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.LedgerReader.AttemptView;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.OnePartition;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code logs}: what the task printed. */
@Command(name = "logs", description = "Shows what the task printed last in an attempt.")
public final class LogsCommand implements Callable<Integer> {
  private static final int MAX_ATTEMPTS = 10_000;

  private final Workspace workspace;

  @Mixin private final OnePartition asked = new OnePartition();

  @Option(
      names = "--attempt",
      paramLabel = "N",
      description = "The attempt, 1 for the first that is kept (default: the newest).")
  private @Nullable Integer attempt;

  public LogsCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = asked.definition(configuration);
    Window window = asked.window(definition);
    Slice whole = asked.slice(definition);
    try (Session session = workspace.open(configuration, Services.Need.LEDGER)) {
      List<AttemptView> newestFirst =
          new LedgerReader(session.ledger())
              .attempts(session.forReading(definition), whole, window.label(), MAX_ATTEMPTS);
      View view = view(window, whole, newestFirst);
      workspace.console().result(view, () -> text(view));
    }
    return ExitCode.DONE.code();
  }

  private View view(Window window, Slice slice, List<AttemptView> newestFirst) {
    int kept = newestFirst.size();
    int wanted = attempt == null ? kept : attempt;
    if (attempt != null && (attempt < 1 || attempt > kept)) {
      throw CommandFailure.usage(
          "--attempt",
          "--attempt " + attempt + ": " + window.label() + " has " + kept + " attempts");
    }
    @Nullable AttemptView found = kept == 0 ? null : newestFirst.get(kept - wanted);
    return new View(
        asked.pipeline(),
        window.label(),
        slice.values(),
        found == null ? null : wanted,
        found == null ? null : found.token(),
        found == null ? null : found.outcome(),
        found == null ? null : found.log());
  }

  private static String text(View view) {
    if (view.attempt() == null) {
      return "no attempts yet";
    }
    return view.log() == null ? "attempt " + view.attempt() + " printed nothing" : view.log();
  }

  /** The log as JSON; all of an attempt is null where there was none yet. */
  record View(
      String pipeline,
      String partition,
      Map<String, String> slice,
      @Nullable Integer attempt,
      @Nullable Long token,
      @Nullable String outcome,
      @Nullable String log) {}
}
