package dev.tidemark.starter.sweep;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.NowOption;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.sweep.SweepReport;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sweep}: one pass over a pipeline, waited for. */
@Command(
    name = "sweep",
    description = "Runs what is due now, once, waits for it, and prints a report.",
    footer = {
      "%nEach partition is tried once, with its retries. limits.partitions and limits.duration of the",
      "configuration bound it; what is left is counted as remaining. Exits 1 if a partition that it",
      "ran failed, 4 if the pipeline is paused."
    })
public final class SweepCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Parameters(paramLabel = "PIPELINE", description = "The pipeline.")
  private String pipeline = "";

  @Mixin private final NowOption now = new NowOption();

  @Option(
      names = "--timeout",
      paramLabel = "D",
      description = "Wait no longer than this, such as 15m (default: until it ends).")
  private @Nullable Duration timeout;

  public SweepCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = Workspace.pipeline(configuration, pipeline);
    try (Session session = workspace.open(configuration, Services.Need.LEDGER_AND_TEMPORAL)) {
      RegisteredPipeline registered = session.forWork(definition);
      refusePaused(registered.paused());
      session.startWorker(definition);
      SweepReport report =
          new SweepWait(session.client(), workspace.console()).run(pipeline, now.given(), timeout);
      refusePaused(report.paused());
      new Outputs(session.ledger())
          .missing(registered)
          .ifPresent(missing -> workspace.console().notice(missing.text(pipeline)));
      workspace
          .console()
          .result(report, () -> text(report, registered.definition().pace().limits()));
      return (report.failed() > 0 ? ExitCode.FAILED : ExitCode.DONE).code();
    }
  }

  private void refusePaused(boolean paused) {
    if (paused) {
      throw CommandFailure.refused(
          "pipeline '"
              + pipeline
              + "' is paused; `tidemark resume "
              + pipeline
              + "` lets it go on");
    }
  }

  /** What is due is counted up to one more than a sweep may run. */
  private static String text(SweepReport report, Limits limits) {
    return report.pipeline()
        + " at "
        + report.now()
        + ": "
        + (report.planned() > limits.partitions()
            ? "more than " + limits.partitions()
            : report.planned())
        + " due, "
        + report.completed()
        + " completed, "
        + report.failed()
        + " failed, "
        + report.remaining()
        + " remaining";
  }
}
