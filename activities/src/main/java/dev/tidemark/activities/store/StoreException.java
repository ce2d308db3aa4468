package dev.tidemark.activities.store;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A store did not do what was asked, for a reason that is not "there is no such object": an
 * unreachable store is never an empty one. The message names the address, the reason and the way
 * out.
 */
public final class StoreException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;

  public StoreException(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  /** Why. */
  public enum Kind {
    /** The credentials are wrong, or may not do this. */
    DENIED,
    /** There is no such bucket, or it is in another region. */
    ABSENT,
    /** No answer, or no such host or volume. */
    UNREACHABLE,
    /** It asks to be asked less often, also after the retries. */
    THROTTLED,
    /** No space is left. */
    FULL,
    /** It does not take what it is given, and never will: a name that is too long, say. */
    REFUSED
  }
}
