package dev.tidemark.starter.pipeline;

import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Who;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code pause}: stops live work. */
@Command(name = "pause", description = "Stops a pipeline's live work; backfills are not affected.")
public final class PauseCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Parameters(paramLabel = "PIPELINE", description = "The pipeline.")
  private String pipeline = "";

  public PauseCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = Workspace.pipeline(configuration, pipeline);
    try (Session session = workspace.open(configuration, Services.Need.LEDGER)) {
      session.forWork(definition);
      boolean changed = session.definitions().pause(pipeline, Who.asks());
      workspace
          .console()
          .result(
              new View(pipeline, true, changed),
              () -> pipeline + (changed ? " is paused" : " was paused already"));
    }
    return ExitCode.DONE.code();
  }

  /** The result as JSON. */
  record View(String pipeline, boolean paused, boolean changed) {}
}
