package dev.tidemark.activities.task;

/** A task failed in a way that its message says completely. */
final class TaskFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  TaskFailedException(String message) {
    super(message);
  }
}
