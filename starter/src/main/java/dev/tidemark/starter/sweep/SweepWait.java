package dev.tidemark.starter.sweep;

import dev.tidemark.starter.output.Console;
import dev.tidemark.starter.output.ProgressBar;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.Deadline;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.sweep.Progress;
import dev.tidemark.workflows.sweep.SweepReport;
import io.temporal.client.WorkflowServiceException;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Starts a sweep by hand and follows it to its report. */
public final class SweepWait {
  private static final Duration LOOK = Duration.ofMillis(300);

  private final TidemarkClient client;
  private final Console console;
  private CompletableFuture<Progress> look =
      CompletableFuture.completedFuture(new Progress("", "planning", 0, 0, 0, 0));

  public SweepWait(TidemarkClient client, Console console) {
    this.client = client;
    this.console = console;
  }

  /**
   * The sweep's report.
   *
   * @param now the logical time; null for the database's clock
   * @param timeout null for no bound; a sweep that is not waited for any more goes on
   */
  public SweepReport run(String pipeline, @Nullable Instant now, @Nullable Duration timeout)
      throws Exception {
    Deadline deadline = Deadline.after(timeout);
    WorkflowStub sweep = client.startSweep(pipeline, now, UUID.randomUUID().toString());
    CompletableFuture<SweepReport> report = sweep.getResultAsync(SweepReport.class);
    try (ProgressBar bar = console.progress(pipeline)) {
      bar.show(0, 0, 0);
      while (true) {
        try {
          return report.get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          if (deadline.isPast()) {
            throw late(pipeline, timeout);
          }
          show(sweep.getExecution().getWorkflowId(), bar);
        }
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static CommandFailure late(String pipeline, @Nullable Duration timeout) {
    return CommandFailure.failed(
        "the sweep of '"
            + pipeline
            + "' did not end within "
            + timeout
            + "; it goes on where a worker runs");
  }

  /** Asked beside the wait: where no worker runs nobody answers, and the wait has its bound. */
  private void show(String workflowId, ProgressBar bar) {
    if (!look.isDone()) {
      return;
    }
    try {
      Progress progress = look.join();
      bar.show(progress.completed(), progress.failed(), progress.planned());
    } catch (CompletionException e) {
      if (!(e.getCause() instanceof WorkflowServiceException)) {
        throw e;
      }
      // Not started yet, or just ended: the next look, or the report, will say.
      bar.show(0, 0, 0);
    }
    look = CompletableFuture.supplyAsync(() -> client.progress(workflowId));
  }
}
