package dev.tidemark.activities.task;

/** Not ready: try again later, without spending an attempt. */
public final class NotReadyException extends Exception {
  private static final long serialVersionUID = 1L;

  public NotReadyException(String message) {
    super(message);
  }
}
