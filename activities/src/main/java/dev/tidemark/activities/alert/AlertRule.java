package dev.tidemark.activities.alert;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * What alerts are raised for: the whole list. Each is a condition on what the ledger holds ({@code
 * Alerts.WRONG}), true for as long as something is wrong.
 */
public enum AlertRule {
  /** Closed, and not committed although {@code freshness.within} has passed. */
  FRESHNESS,
  /** A claim ended without success; it is tried again later. */
  FAILED,
  /** Given up: waits for a person or for new input. */
  PARKED,
  /** The destination of an account refuses it, so that it is left alone for a while (c-J9). */
  BREAKER;

  /** As the ledger, metrics and messages call it. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The rule of that label. */
  static AlertRule of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
