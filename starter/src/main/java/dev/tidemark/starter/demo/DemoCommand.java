package dev.tidemark.starter.demo;

import dev.tidemark.starter.output.Console;
import dev.tidemark.starter.process.StopSignal;
import dev.tidemark.starter.session.ConfigOption;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.configuration.PageSettings;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.worker.embedded.ServicesRequest;
import dev.tidemark.worker.page.PageServer;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code demo}: the bundled example on real data, on a real Temporal server and PostgreSQL. */
@Command(
    name = "demo",
    description = "Runs the bundled example on real data, end to end.",
    footer = {
      "%nFour years of Seattle's weather arrive as one file a day and are caught up with; a late",
      "correction is integrated; a month is backfilled by signal. The folder stays, to look at."
    })
public final class DemoCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Option(names = "--keep", description = "Leave the services up in the end, until Ctrl-C.")
  private boolean keep;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = "tidemark-demo",
      description = "The demo's folder, made anew (default: ${DEFAULT-VALUE}).")
  private Path folder = Path.of("tidemark-demo");

  public DemoCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    DemoFolder demo = DemoFolder.fresh(folder.toAbsolutePath().normalize());
    Workspace its = workspace.with(ConfigOption.of(demo.configuration()));
    Configuration configuration = its.configuration();
    Console console = workspace.console();
    console.notice("Tidemark demo: four years of Seattle's weather, one file a day");
    try (StopSignal stop = StopSignal.listen();
        Session session =
            its.open(
                configuration,
                keep
                    ? ServicesRequest.staying()
                    : ServicesRequest.of(Services.Need.LEDGER_AND_TEMPORAL));
        @Nullable PageServer page = keep ? session.bindPage(PageSettings.LOCAL) : null) {
      session.forWork(configuration.pipelines().get(0));
      session.runWorker();
      console.notice("  a real PostgreSQL  " + session.services().ledgerUrl());
      console.notice("  a real Temporal    " + session.services().temporalAddress());
      DemoReport report = new Demo(demo, session, console, workspace.clock()).run();
      String url = page == null ? null : page.url();
      if (page != null) {
        session.servePage(page, PageSettings.LOCAL, workspace.clock());
      }
      console.result(report, () -> DemoText.of(report, session.services(), url));
      if (page != null) {
        session.services().publish(url);
        stop.await();
      }
    }
    return ExitCode.DONE.code();
  }
}
