package dev.tidemark.activities.task;

import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task as an attempt would, without a ledger: nothing is published, nothing recorded, and
 * what SQL writes is rolled back.
 */
public final class TaskTrial {
  private final Tasks tasks;

  public TaskTrial(Tasks tasks) {
    this.tasks = tasks;
  }

  /**
   * Runs the task of one partition. Its inputs are not looked at, so that it sees no input version,
   * and its token is 0.
   *
   * @param folder the task's output folder; what is in it at the end stays
   */
  public Result run(
      PipelineDefinition definition,
      Window window,
      Slice slice,
      Map<String, String> params,
      Path folder) {
    TaskRun run =
        new TaskRun(
            new TaskRun.Subject(
                definition.name(), definition.extent().partitions().zone(), window, slice, params),
            new TaskRun.Attempt(0, 1),
            () -> folder);
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    try {
      Future<?> timeout =
          clock.schedule(
              () -> run.end(TaskRun.End.TIMED_OUT),
              definition.task().timeout().toNanos(),
              TimeUnit.NANOSECONDS);
      Long rows = TaskExecution.run(tasks, definition.task(), run).rows();
      timeout.cancel(false);
      return new Result(null, null, rows, run.log().text());
    } catch (AttemptFailedException e) {
      return new Result(e.kind(), e.error(), null, run.log().text());
    } finally {
      clock.shutdownNow();
    }
  }

  /**
   * How it went.
   *
   * @param failure null if the task succeeded
   * @param error for people, null if the task succeeded
   * @param rows as the task counted them, null if it did not
   * @param log what it printed last, null if nothing
   */
  public record Result(
      @Nullable FailureKind failure,
      @Nullable String error,
      @Nullable Long rows,
      @Nullable String log) {}
}
