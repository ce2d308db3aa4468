package dev.tidemark.activities.task;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a pipeline's task for one partition outside of any claim, for the one who writes the task:
 * publishes nothing, records nothing.
 */
public final class TaskTrial {
  private final Tasks tasks;

  public TaskTrial(Tasks tasks) {
    this.tasks = tasks;
  }

  /**
   * How it went.
   *
   * @param error why it failed, null if it did not
   * @param log what the task printed last, null if nothing
   */
  public record Result(@Nullable String error, @Nullable String log) {}

  /**
   * Runs the task once, for at most its timeout.
   *
   * @param output an empty folder
   */
  public Result run(PipelineDefinition definition, Window window, Slice slice, Path output) {
    TaskRun run =
        new TaskRun(
            new TaskRun.Subject(
                definition.name(),
                definition.extent().partitions().zone(),
                window,
                slice,
                Map.of()),
            new TaskRun.Attempt(0, 1, null),
            () -> output);
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    try {
      var timeout =
          timer.schedule(
              () -> run.end(TaskRun.End.TIMED_OUT),
              definition.task().timeout().toMillis(),
              TimeUnit.MILLISECONDS);
      TaskExecution.run(tasks, definition.task(), run);
      timeout.cancel(false);
      return new Result(null, run.log().text());
    } catch (AttemptFailedException e) {
      return new Result(e.error(), run.log().text());
    } finally {
      timer.shutdownNow();
    }
  }
}
