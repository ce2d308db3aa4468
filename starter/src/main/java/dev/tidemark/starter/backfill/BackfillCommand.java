package dev.tidemark.starter.backfill;

import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.NowOption;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.starter.sweep.SavedPlan;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.planning.Plan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
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

  @Option(
      names = "--downstream",
      description = "And for what reads it, in the pipelines below, in the same mode.")
  private boolean downstream;

  @Option(
      names = "--plan",
      paramLabel = "FILE",
      description = "Instead of a range: exactly what plan --save wrote, if it still holds.")
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
    checkOptions();
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = Workspace.pipeline(configuration, pipeline);
    SavedPlan saved = plan == null ? null : saved(plan);
    BackfillRequest asked = asked(definition, saved);
    if (dryRun) {
      return preview(configuration, definition, asked, saved);
    }
    return wait
        ? askAndWait(configuration, definition, asked, saved)
        : ask(configuration, definition, asked, saved);
  }

  private void checkOptions() {
    if (timeout != null && !wait) {
      throw CommandFailure.usage("--timeout", "--timeout only makes sense with --wait");
    }
    if (wait && dryRun) {
      throw CommandFailure.usage(
          "--wait", "--dry-run asks for nothing: there is nothing to wait for");
    }
    if (plan != null && downstream) {
      throw CommandFailure.usage(
          "--downstream",
          "--plan asks for exactly what the file names; what reads that becomes late by itself");
    }
  }

  private SavedPlan saved(Path file) {
    SavedPlan saved = SavedPlan.read(file);
    if (!saved.pipeline().equals(pipeline)) {
      throw CommandFailure.usage(
          "--plan", "--plan " + file + " is of '" + saved.pipeline() + "', not of this pipeline");
    }
    if (saved.partitions().isEmpty()) {
      throw CommandFailure.usage("--plan", "--plan " + file + " names no partition");
    }
    return saved;
  }

  private BackfillRequest asked(PipelineDefinition definition, @Nullable SavedPlan saved) {
    if (saved == null) {
      return request.request(definition, now, workspace.clock());
    }
    TreeSet<Window> windows = saved.windows(definition.extent().partitions());
    return saved.apply(
        request.exactly(windows.first().label(), windows.last().label(), now.given()));
  }

  /** Everything that is asked for, after all that can be wrong with it. */
  private Requests requests(
      Session session,
      PipelineDefinition definition,
      BackfillRequest asked,
      @Nullable SavedPlan saved)
      throws Exception {
    RegisteredPipeline registered = session.forWork(definition);
    if (saved != null) {
      TreeSet<Window> windows = saved.windows(definition.extent().partitions());
      Plan present =
          session
              .plans()
              .plan(
                  registered,
                  now.given(),
                  windows.first(),
                  windows.last(),
                  workspace.console()::notice);
      saved.requireHolds(
          registered, session.plans().grounds(registered, present, workspace.console()::notice));
    }
    return downstream
        ? Requests.withDownstream(session, registered, asked)
        : Requests.one(registered, asked);
  }

  private int preview(
      Configuration configuration,
      PipelineDefinition definition,
      BackfillRequest asked,
      @Nullable SavedPlan saved)
      throws Exception {
    try (Session session = workspace.open(configuration, Services.Need.LEDGER)) {
      List<BackfillView> views = new ArrayList<>();
      for (Requests.OfPipeline one : requests(session, definition, asked, saved).all()) {
        // The list is of the ledger's rows: that they are there is what a sweep sees to first.
        session.bringUpToDate(one.pipeline(), now.given());
        views.add(new Backfills(session.ledger()).preview(one.pipeline(), one.request()));
      }
      print(views, BackfillTexts::preview);
    }
    return ExitCode.DONE.code();
  }

  private int ask(
      Configuration configuration,
      PipelineDefinition definition,
      BackfillRequest asked,
      @Nullable SavedPlan saved)
      throws Exception {
    // Asking for work that nobody would do, and leaving, would look like success.
    String nobody = "nobody would do the work; add --wait, or start `tidemark dev` first";
    try (Session session = workspace.requireStanding(configuration, nobody)) {
      Requests requests = requests(session, definition, asked, saved);
      print(ask(session, requests, BackfillAsking.LONGEST_WITHOUT_WAITING), BackfillTexts::asked);
    }
    return ExitCode.DONE.code();
  }

  /** From the first to the last: what is asked for below waits for what is asked for above. */
  private static List<BackfillView> ask(
      Session session, Requests requests, @Nullable Duration longest) throws Exception {
    List<BackfillView> views = new ArrayList<>();
    for (Requests.OfPipeline one : requests.all()) {
      views.add(BackfillAsking.ask(session, one.pipeline().name(), one.request(), longest));
    }
    return views;
  }

  private int askAndWait(
      Configuration configuration,
      PipelineDefinition definition,
      BackfillRequest asked,
      @Nullable SavedPlan saved)
      throws Exception {
    try (Session session = workspace.open(configuration, Services.Need.LEDGER_AND_TEMPORAL)) {
      Requests requests = requests(session, definition, asked, saved);
      session.startWorker(requests.all().stream().map(one -> one.pipeline().definition()).toList());
      List<BackfillView> settled = new ArrayList<>();
      BackfillWait waiting = new BackfillWait(new Backfills(session.ledger()), workspace.console());
      for (BackfillView view : ask(session, requests, timeout)) {
        settled.add(waiting.untilSettled(view, timeout));
      }
      print(settled, BackfillTexts::settled);
      return settled.stream().anyMatch(BackfillCommand::isLost)
          ? ExitCode.FAILED.code()
          : ExitCode.DONE.code();
    }
  }

  private void print(List<BackfillView> views, Function<BackfillView, String> text) {
    workspace
        .console()
        .result(
            Answer.of(views),
            () -> views.stream().map(text).collect(Collectors.joining(dryRun ? "" : "\n")));
  }

  private static boolean isLost(BackfillView settled) {
    return settled.failed() > 0
        || settled.state() == BackfillView.State.FAILED
        || settled.state() == BackfillView.State.CANCELLED
        || settled.state() == BackfillView.State.REJECTED;
  }
}
