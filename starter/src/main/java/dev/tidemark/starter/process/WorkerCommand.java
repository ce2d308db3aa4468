package dev.tidemark.starter.process;

import dev.tidemark.starter.configuration.StoreNotes;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.configuration.PageSettings;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.worker.embedded.ServicesRequest;
import dev.tidemark.worker.page.PageServer;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code worker}: one of N workers. */
@Command(
    name = "worker",
    description = "Runs a worker against the configured Temporal and PostgreSQL.",
    footer = {
      "%nStays up until SIGTERM or Ctrl-C; partitions in flight then finish or are handed over, and"
          + " it",
      "exits 0. Works with the registered definitions: run `tidemark apply` once before."
    })
public final class WorkerCommand implements Callable<Integer> {
  private final Workspace workspace;

  public WorkerCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    requireConfigured(configuration);
    PageSettings settings = configuration.page();
    try (StopSignal stop = StopSignal.listen();
        Session session =
            workspace.open(
                configuration, ServicesRequest.of(Services.Need.LEDGER_AND_TEMPORAL).counted());
        @Nullable PageServer page = settings == null ? null : session.bindPage(settings)) {
      session.runWorker();
      workspace
          .console()
          .notice(
              "worker on task queue '"
                  + configuration.temporal().taskQueue()
                  + "' of Temporal at "
                  + session.services().temporalAddress()
                  + ", ledger at "
                  + session.services().ledgerUrl());
      if (settings != null && page != null) {
        session.servePage(page, settings, workspace.clock());
        workspace.console().notice("page at " + page.url());
      }
      StoreNotes.of(configuration, workspace.clock()).forEach(workspace.console()::notice);
      stop.await();
      workspace.console().notice("stopping: partitions in flight finish or are handed over");
    }
    return ExitCode.DONE.code();
  }

  private static void requireConfigured(Configuration configuration) {
    if (!configuration.temporal().isConfigured() || configuration.ledger() == null) {
      throw CommandFailure.usage(
          "temporal",
          "a worker needs a configured Temporal and a configured ledger: set temporal.address (or"
              + " TEMPORAL_ADDRESS) and ledger.url, or run `tidemark dev`, which brings both");
    }
  }
}
