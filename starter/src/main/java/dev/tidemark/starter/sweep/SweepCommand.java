package dev.tidemark.starter.sweep;

import dev.tidemark.activities.ledger.RegisteredPipeline;
import dev.tidemark.starter.output.ProgressBar;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.NowOption;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.sweep.Progress;
import dev.tidemark.workflows.sweep.SweepReport;
import io.temporal.client.WorkflowServiceException;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
  private static final Duration LOOK = Duration.ofMillis(300);

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
      session.startWorker();
      SweepReport report = run(session.client());
      refusePaused(report.paused());
      workspace.console().result(report, () -> text(report));
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

  private SweepReport run(TidemarkClient client) throws Exception {
    Instant began = workspace.clock().instant();
    WorkflowStub sweep = client.startSweep(pipeline, now.given(), UUID.randomUUID().toString());
    CompletableFuture<SweepReport> report = sweep.getResultAsync(SweepReport.class);
    try (ProgressBar bar = workspace.console().progress(pipeline)) {
      bar.show(0, 0, 0);
      while (true) {
        try {
          return report.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          checkTime(began);
          show(client, sweep.getExecution().getWorkflowId(), bar);
        }
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private void checkTime(Instant began) {
    if (timeout != null && workspace.clock().instant().isAfter(began.plus(timeout))) {
      throw CommandFailure.failed(
          "the sweep of '" + pipeline + "' did not end within " + timeout + "; its work is kept");
    }
  }

  private static void show(TidemarkClient client, String workflowId, ProgressBar bar) {
    try {
      Progress progress = client.progress(workflowId);
      bar.show(progress.completed(), progress.failed(), progress.planned());
    } catch (WorkflowServiceException e) {
      // Not started yet, or just ended: the next look, or the report, will say.
      bar.show(0, 0, 0);
    }
  }

  private static String text(SweepReport report) {
    return report.pipeline()
        + " at "
        + report.now()
        + ": "
        + report.planned()
        + " due, "
        + report.completed()
        + " completed, "
        + report.failed()
        + " failed, "
        + report.remaining()
        + " remaining";
  }
}
