package dev.tidemark.activities.task;

import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;

/** An attempt failed, and how the ledger is to count it. */
final class AttemptFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final FailureKind kind;

  AttemptFailedException(FailureKind kind, String message) {
    super(message);
    this.kind = kind;
  }

  AttemptFailedException(FailureKind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  FailureKind kind() {
    return kind;
  }

  /** For people, bounded. */
  String error() {
    return Texts.error(String.valueOf(getMessage()));
  }
}
