package dev.tidemark.activities.task;

import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.metrics.Trouble;
import org.jspecify.annotations.Nullable;

/** An attempt failed, and how the ledger is to count it. */
final class AttemptFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final FailureKind kind;
  private @Nullable Trouble trouble;

  AttemptFailedException(FailureKind kind, String message) {
    super(message);
    this.kind = kind;
  }

  AttemptFailedException(FailureKind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** The same, and it was not the task's doing; returns itself. */
  AttemptFailedException because(Trouble what) {
    trouble = what;
    return this;
  }

  /** What it was, apart from the task; null where it was the task. */
  @Nullable Trouble trouble() {
    return trouble;
  }

  FailureKind kind() {
    return kind;
  }

  /** For people, bounded. */
  String error() {
    return Texts.error(String.valueOf(getMessage()));
  }
}
