package dev.tidemark.workflows.foreign;

import dev.tidemark.workflows.foreign.ForeignFailure.Kind;
import dev.tidemark.workflows.pipeline.TaskSpec;
import io.temporal.api.enums.v1.TimeoutType;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.ChildWorkflowFailure;
import io.temporal.failure.TerminatedFailure;
import io.temporal.failure.TimeoutFailure;

/** What the failure of a task means for its partition: a pure rule. */
final class ForeignFailures {
  /** What the SDKs in Python, TypeScript, .NET and Ruby say of what a shutdown cuts off. */
  private static final String WORKER_SHUTDOWN = "WorkerShutdown";

  private static final int MAX_ERROR = 4 * 1024;

  private ForeignFailures() {}

  static ForeignFailure of(TaskSpec.Foreign task, RuntimeException failure) {
    Throwable cause = isWrapper(failure) ? failure.getCause() : failure;
    if (cause instanceof CanceledFailure) {
      return failure(Kind.CANCELLED, "cancelled");
    }
    if (cause instanceof TimeoutFailure timeout) {
      return timedOut(task, timeout.getTimeoutType());
    }
    // A workflow fails with what failed in it.
    while (cause != null && isWrapper(cause)) {
      cause = cause.getCause();
    }
    if (cause instanceof ApplicationFailure thrown) {
      return failure(kind(thrown), thrown.getType() + ": " + thrown.getOriginalMessage());
    }
    if (cause instanceof TerminatedFailure) {
      return failure(Kind.FAILED, "its workflow was terminated");
    }
    return failure(Kind.FAILED, String.valueOf(cause == null ? failure.getMessage() : cause));
  }

  private static boolean isWrapper(Throwable failure) {
    return failure instanceof ActivityFailure || failure instanceof ChildWorkflowFailure;
  }

  private static Kind kind(ApplicationFailure thrown) {
    return switch (thrown.getType()) {
      case ForeignFailure.NOT_READY -> Kind.NOT_READY;
      case ForeignFailure.BAD_DATA -> Kind.BAD_DATA;
      case WORKER_SHUTDOWN -> Kind.CANCELLED;
      default -> thrown.isNonRetryable() ? Kind.BAD_DATA : Kind.FAILED;
    };
  }

  private static ForeignFailure timedOut(TaskSpec.Foreign task, TimeoutType type) {
    if (type == TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START) {
      return noWorker(task);
    }
    if (type == TimeoutType.TIMEOUT_TYPE_HEARTBEAT && task instanceof TaskSpec.Activity activity) {
      return failure(
          Kind.LOST,
          "its worker sent no heartbeat for %s: it died, or the activity sends too few"
              .formatted(activity.heartbeatWithin()));
    }
    return failure(Kind.FAILED, "timed out after " + task.timeout());
  }

  static ForeignFailure noWorker(TaskSpec.Foreign task) {
    return failure(
        Kind.NO_WORKER,
        "no worker took it from task queue '%s' within %s: start one there that has '%s', or more of them"
            .formatted(task.taskQueue(), task.startWithin(), task.type()));
  }

  static ForeignFailure failure(Kind kind, String error) {
    return new ForeignFailure(
        kind, error.length() <= MAX_ERROR ? error : error.substring(0, MAX_ERROR));
  }
}
