package dev.tidemark.activities.connection;

/** It is not known where the outputs of an account go. */
public final class NoDestinationException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final boolean outage;

  NoDestinationException(boolean outage, String message) {
    super(message);
    this.outage = outage;
  }

  /** Whether the database could not be asked; else a person has to change something there. */
  public boolean isOutage() {
    return outage;
  }
}
