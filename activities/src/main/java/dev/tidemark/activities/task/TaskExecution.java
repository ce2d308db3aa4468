package dev.tidemark.activities.task;

import dev.tidemark.activities.connection.UnknownConnectionException;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.metrics.Trouble;
import dev.tidemark.activities.publish.Contents;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;

/** Runs a task and says how it failed. */
final class TaskExecution {
  private static final int MAX_TRACE_LINES = 60;

  private TaskExecution() {}

  /** Runs the task; returns what it knows of what it wrote. */
  static Contents run(Tasks tasks, TaskSpec spec, TaskRun run) throws AttemptFailedException {
    return run(tasks, spec, run, () -> {});
  }

  /**
   * Runs the task when its turn comes.
   *
   * @param started told when it does, from when on its time runs
   */
  static Contents run(Tasks tasks, TaskSpec spec, TaskRun run, Runnable started)
      throws AttemptFailedException {
    try {
      TaskRunner runner = tasks.runner(spec);
      return run.interruptibly(
          () ->
              tasks
                  .turns()
                  .take(
                      spec,
                      () -> {
                        started.run();
                        return runner.run(run);
                      }));
    } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
      TaskRun.End end = run.end();
      throw end != null ? ended(end, spec.timeout()) : failed(run, e);
    }
  }

  private static AttemptFailedException ended(TaskRun.End end, Duration timeout) {
    return switch (end) {
      case TIMED_OUT ->
          new AttemptFailedException(
              FailureKind.ERROR, "timed out after " + Texts.duration(timeout));
      case CANCELLED -> new AttemptFailedException(FailureKind.RELEASED, "cancelled");
      case LOST ->
          new AttemptFailedException(FailureKind.RELEASED, "no longer the newest attempt")
              .because(Trouble.LEASE_LOST);
      case SHUTDOWN -> new AttemptFailedException(FailureKind.RELEASED, "the worker shut down");
    };
  }

  private static AttemptFailedException failed(TaskRun run, Throwable failure) {
    if (failure instanceof BadDataException) {
      return new AttemptFailedException(FailureKind.BAD_DATA, message(failure), failure);
    }
    if (failure instanceof TaskRun.NoFolderException folder) {
      return AttemptOutput.storeFailed(TaskRun.MAKE_FOLDER, folder.fault());
    }
    if (failure instanceof NotReadyException || failure instanceof UnknownConnectionException) {
      return new AttemptFailedException(FailureKind.NOT_READY, message(failure), failure);
    }
    if (failure instanceof CommitFence.PassedException) {
      return new AttemptFailedException(FailureKind.RELEASED, message(failure), failure);
    }
    if (failure instanceof InterruptedException) {
      return new AttemptFailedException(FailureKind.RELEASED, "interrupted", failure);
    }
    if (!(failure instanceof TaskFailedException)) {
      StringWriter trace = new StringWriter();
      failure.printStackTrace(new PrintWriter(trace));
      trace.toString().lines().limit(MAX_TRACE_LINES).forEach(run::log);
    }
    return new AttemptFailedException(FailureKind.ERROR, Texts.describe(failure), failure);
  }

  private static String message(Throwable failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
