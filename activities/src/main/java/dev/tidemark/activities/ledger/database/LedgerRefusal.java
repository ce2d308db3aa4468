package dev.tidemark.activities.ledger.database;

import org.jspecify.annotations.Nullable;

/** The ledger refuses a request, and has changed nothing. */
public final class LedgerRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why: decides the exit code and whether waiting could help. */
  public enum Kind {
    /** Malformed, or names what does not exist: exit code 2. */
    INVALID,
    /** Well-formed and not allowed now: exit code 4. */
    REFUSED,
    /** No such pipeline is registered: exit code 2. */
    UNKNOWN_PIPELINE
  }

  private final Kind kind;
  private final @Nullable String field;

  /**
   * @param field the argument or key that is wrong, or null
   * @param message names the thing, the value, the rule and the way out
   */
  public LedgerRefusal(Kind kind, @Nullable String field, String message) {
    super(message);
    this.kind = kind;
    this.field = field;
  }

  public Kind kind() {
    return kind;
  }

  public @Nullable String field() {
    return field;
  }
}
