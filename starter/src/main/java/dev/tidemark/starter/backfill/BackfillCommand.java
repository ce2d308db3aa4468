package dev.tidemark.starter.backfill;

import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.activities.ledger.RegisteredPipeline;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.NowOption;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code backfill}: asks for a range of partitions. */
@Command(
    name = "backfill",
    description = "Asks for a range of partitions, both ends inclusive.",
    footer = {
      "%nModes: missing (default): never attempted, failed and parked; failed: the last two; late;",
      "stale: made with an older definition; all. Overlapping backfills merge, partition by partition."
    })
public final class BackfillCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Parameters(paramLabel = "PIPELINE", description = "The pipeline.")
  private String pipeline = "";

  @Mixin private final NowOption now = new NowOption();
  @Mixin private final RequestOptions request = new RequestOptions();

  @Option(names = "--downstream", description = "With the pipelines that read it (not built yet).")
  private boolean downstream;

  @Option(names = "--plan", paramLabel = "FILE", description = "A saved plan (not built yet).")
  private @Nullable Path plan;

  @Option(names = "--dry-run", description = "Show what would be asked for; ask for nothing.")
  private boolean dryRun;

  @Option(
      names = "--wait",
      description = "Return when each partition is committed, parked or cancelled.")
  private boolean wait;

  @Option(
      names = "--timeout",
      paramLabel = "D",
      description = "With --wait: wait no longer than this, such as 2h.")
  private @Nullable Duration timeout;

  public BackfillCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    refuseWhatIsNotBuilt();
    if (timeout != null && !wait) {
      throw CommandFailure.usage("--timeout", "--timeout only makes sense with --wait");
    }
    if (wait && dryRun) {
      throw CommandFailure.usage(
          "--wait", "--dry-run asks for nothing: there is nothing to wait for");
    }
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = Workspace.pipeline(configuration, pipeline);
    BackfillRequest asked = request.request(definition, now, workspace.clock());
    if (dryRun) {
      return preview(configuration, definition, asked);
    }
    return wait
        ? askAndWait(configuration, definition, asked)
        : ask(configuration, definition, asked);
  }

  private void refuseWhatIsNotBuilt() {
    if (downstream) {
      throw CommandFailure.notBuilt("--downstream");
    }
    if (plan != null) {
      throw CommandFailure.notBuilt("--plan");
    }
  }

  private int preview(
      Configuration configuration, PipelineDefinition definition, BackfillRequest asked)
      throws Exception {
    try (Session session = workspace.open(configuration, Services.Need.LEDGER)) {
      // The list is of the ledger's rows: both are what a sweep does first, and ask for nothing.
      RegisteredPipeline registered = session.forWork(definition);
      session.bringUpToDate(registered, now.given());
      BackfillView view = new Backfills(session.ledger()).preview(registered, asked);
      workspace.console().result(view, () -> BackfillTexts.preview(view));
    }
    return ExitCode.DONE.code();
  }

  private int ask(Configuration configuration, PipelineDefinition definition, BackfillRequest asked)
      throws Exception {
    // Asking for work that nobody would do, and leaving, would look like success.
    String nobody = "nobody would do the work; add --wait, or start `tidemark dev` first";
    try (Session session = workspace.requireStanding(configuration, nobody)) {
      session.forWork(definition);
      BackfillView view =
          BackfillAsking.ask(session, pipeline, asked, BackfillAsking.LONGEST_WITHOUT_WAITING);
      workspace.console().result(view, () -> BackfillTexts.asked(view));
    }
    return ExitCode.DONE.code();
  }

  private int askAndWait(
      Configuration configuration, PipelineDefinition definition, BackfillRequest asked)
      throws Exception {
    try (Session session = workspace.open(configuration, Services.Need.LEDGER_AND_TEMPORAL)) {
      session.forWork(definition);
      session.startWorker(definition);
      BackfillView view = BackfillAsking.ask(session, pipeline, asked, timeout);
      BackfillView settled =
          new BackfillWait(new Backfills(session.ledger()), workspace.console())
              .untilSettled(view, timeout);
      workspace.console().result(settled, () -> BackfillTexts.settled(settled));
      return exit(settled).code();
    }
  }

  private static ExitCode exit(BackfillView settled) {
    boolean lost =
        settled.failed() > 0
            || settled.state() == BackfillView.State.FAILED
            || settled.state() == BackfillView.State.CANCELLED
            || settled.state() == BackfillView.State.REJECTED;
    return lost ? ExitCode.FAILED : ExitCode.DONE;
  }
}
