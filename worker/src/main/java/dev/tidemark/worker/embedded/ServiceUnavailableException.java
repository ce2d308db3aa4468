package dev.tidemark.worker.embedded;

import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL or Temporal cannot be used: exit code 3. The message names the address and the way
 * out.
 */
public final class ServiceUnavailableException extends Exception {
  private static final long serialVersionUID = 1L;

  public ServiceUnavailableException(String message) {
    super(message);
  }

  public ServiceUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
