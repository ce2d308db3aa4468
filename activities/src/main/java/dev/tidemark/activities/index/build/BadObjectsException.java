package dev.tidemark.activities.index.build;

/** The data cannot be taken in as it is: only other data, a definition or a person can mend it. */
final class BadObjectsException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BadObjectsException(String message, Throwable cause) {
    super(message, cause);
  }
}
