package dev.tidemark.activities.inputs;

/** A change detector cannot tell: never taken for "nothing changed" or "nothing there". */
public final class DetectorException extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * @param message names the input and what is wrong with it
   */
  public DetectorException(String message) {
    super(message);
  }

  public DetectorException(String message, Throwable cause) {
    super(message, cause);
  }
}
