package dev.tidemark.activities.task;

/** The data is bad: park the partition now; another attempt cannot help. */
public final class BadDataException extends Exception {
  private static final long serialVersionUID = 1L;

  public BadDataException(String message) {
    super(message);
  }
}
