package dev.tidemark.activities.publish;

/** What the task left in its output folder cannot be published; the task must change. */
public final class RefusedOutputException extends Exception {
  private static final long serialVersionUID = 1L;

  RefusedOutputException(String message) {
    super(message);
  }
}
