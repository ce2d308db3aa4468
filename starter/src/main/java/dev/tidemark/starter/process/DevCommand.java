package dev.tidemark.starter.process;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidemark.starter.configuration.StoreNotes;
import dev.tidemark.starter.output.Table;
import dev.tidemark.starter.pipeline.Registration;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.configuration.PageSettings;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.worker.embedded.ServicesRequest;
import dev.tidemark.worker.page.PageServer;
import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code dev}: the whole stack in one process. */
@Command(
    name = "dev",
    description = "Runs the whole stack for a configuration in one process, and stays up.",
    footer = {
      "%nPostgreSQL and a Temporal server where none is configured, the definitions applied, their",
      "schedules, a worker, and the page. Other commands on the same configuration use these"
          + " services."
    })
public final class DevCommand implements Callable<Integer> {
  private final Workspace workspace;

  public DevCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    PageSettings settings = Objects.requireNonNullElse(configuration.page(), PageSettings.LOCAL);
    try (StopSignal stop = StopSignal.listen();
        Session session = workspace.open(configuration, ServicesRequest.staying().counted());
        PageServer page = session.bindPage(settings)) {
      Registration.registerAndSchedule(session, configuration);
      session.runWorker();
      session.servePage(page, settings, workspace.clock());
      session.services().publish(page.url());
      View view = View.of(configuration, session.services(), page.url());
      workspace.console().result(view, () -> text(view));
      StoreNotes.of(configuration, workspace.clock()).forEach(workspace.console()::notice);
      stop.await();
      workspace.console().notice("stopping");
    }
    return ExitCode.DONE.code();
  }

  private static String text(View view) {
    Table table = new Table("page", view.page());
    table.row("ledger", view.ledger());
    table.row("Temporal", view.temporal());
    table.row("Temporal UI", view.ui() == null ? "none" : view.ui());
    table.row("pipelines", String.join(", ", view.pipelines()));
    if (!view.objectTypes().isEmpty()) {
      table.row("object types", String.join(", ", view.objectTypes()));
    }
    return table.render() + "ready; Ctrl-C stops it";
  }

  /** Where to look, as JSON. */
  record View(
      String page,
      String ledger,
      String temporal,
      @Nullable String ui,
      List<String> pipelines,
      @JsonProperty("object_types") List<String> objectTypes) {
    static View of(Configuration configuration, Services services, String page) {
      return new View(
          page,
          services.ledgerUrl(),
          services.temporalAddress(),
          services.temporalUi().orElse(null),
          configuration.pipelines().stream().map(PipelineDefinition::name).toList(),
          configuration.objectTypes().stream().map(ObjectType::name).toList());
    }
  }
}
