package dev.tidemark.workflows.client;

import dev.tidemark.workflows.ledger.Refusal;

/** A request was refused, and nothing was changed. */
public final class RequestRefused extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String type;

  /**
   * @param type one of {@link Refusal}
   * @param message names the thing, the value, the rule and the way out
   */
  public RequestRefused(String type, String message, Throwable cause) {
    super(message, cause);
    this.type = type;
  }

  /** One of {@link Refusal}: decides the exit code. */
  public String type() {
    return type;
  }
}
