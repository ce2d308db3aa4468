package dev.tidemark.starter.backfill;

import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.backfill.BackfillView;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code backfills}: the backfills there are, and what can be done to one. */
@Command(
    name = "backfills",
    description = "Lists backfills; shows, pauses, resumes, cancels or changes one.")
public final class BackfillsCommand implements Callable<Integer> {
  private static final String ID = "ID";
  private static final String ID_TEXT = "The backfill, as `backfills list` shows it.";

  private final Workspace workspace;

  @Spec private CommandSpec spec = CommandSpec.create();

  public BackfillsCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(), "say what to do: list, show, pause, resume, cancel or set");
  }

  @Command(name = "list", description = "Lists backfills, newest first.")
  int list() throws Exception {
    try (Session session = workspace.open(workspace.configuration(), Services.Need.LEDGER)) {
      List<BackfillView> views = new Backfills(session.ledger()).list();
      workspace.console().result(new Listing(views), () -> BackfillTexts.list(views));
    }
    return ExitCode.DONE.code();
  }

  @Command(name = "show", description = "Shows one, and its progress.")
  int show(@Parameters(paramLabel = ID, description = ID_TEXT) String id) throws Exception {
    return change(id, false, backfills -> find(backfills, id));
  }

  @Command(name = "pause", description = "Nothing more of it starts, until it is resumed.")
  int pause(@Parameters(paramLabel = ID, description = ID_TEXT) String id) throws Exception {
    return change(id, false, backfills -> backfills.pause(id));
  }

  @Command(name = "resume", description = "Lets a paused one go on.")
  int resume(@Parameters(paramLabel = ID, description = ID_TEXT) String id) throws Exception {
    return change(id, true, backfills -> backfills.resume(id));
  }

  @Command(name = "cancel", description = "Nothing more of it starts, ever.")
  int cancel(
      @Parameters(paramLabel = ID, description = ID_TEXT) String id,
      @Option(
              names = "--running",
              paramLabel = "finish|cancel",
              defaultValue = "finish",
              description = "What becomes of the partitions that run (default: finish).")
          Running running)
      throws Exception {
    return change(id, false, backfills -> backfills.cancel(id, running == Running.CANCEL));
  }

  @Command(name = "set", description = "Changes how much of it runs at once.")
  int set(
      @Parameters(paramLabel = ID, description = ID_TEXT) String id,
      @Option(
              names = "--parallel",
              paramLabel = "N",
              required = true,
              description = "At most this many at once.")
          int parallel)
      throws Exception {
    RequestOptions.checkParallel(parallel);
    return change(id, true, backfills -> backfills.setParallel(id, parallel));
  }

  private int change(String id, boolean wakes, Function<Backfills, BackfillView> act)
      throws Exception {
    Configuration configuration = workspace.configuration();
    try (Session session =
        wakes
            ? workspace.openStanding(configuration)
            : workspace.open(configuration, Services.Need.LEDGER)) {
      Backfills backfills = new Backfills(session.ledger());
      find(backfills, id);
      BackfillView view = act.apply(backfills);
      if (wakes) {
        session.wake(view.pipeline());
      }
      workspace.console().result(view, () -> BackfillTexts.show(view));
    }
    return ExitCode.DONE.code();
  }

  private static BackfillView find(Backfills backfills, String id) {
    return backfills
        .find(id)
        .orElseThrow(
            () ->
                CommandFailure.usage(
                    ID, "no backfill '" + id + "'; `tidemark backfills list` shows them"));
  }

  /** What becomes of running partitions of a cancelled backfill. */
  public enum Running {
    FINISH,
    CANCEL
  }

  /** The list as JSON. */
  record Listing(List<BackfillView> backfills) {}
}
