package dev.tidemark.activities.connection;

/**
 * A pipeline names a connection that this process does not have: the file was changed, and applied,
 * since it started. Nothing is wrong with the pipeline: another process may have it.
 */
public final class UnknownConnectionException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnknownConnectionException(String message) {
    super(message);
  }
}
