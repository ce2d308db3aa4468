package dev.tidemark.activities.index.query;

import org.jspecify.annotations.Nullable;

/** A question about objects, or an edit of one, that is refused; nothing has changed. */
public final class QueryRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Why: decides what the asker can do about it. */
  public enum Kind {
    /** Malformed, or names what the object type does not have. */
    INVALID,
    /** There is no such object. */
    NOT_FOUND,
    /** What is asked for does not fit what the object is now. */
    CONFLICT,
    /** The generation that a cursor was begun in is not kept any more. */
    GONE,
    /** This process cannot answer yet; it can a little later. */
    NOT_READY
  }

  private final Kind kind;
  private final @Nullable String field;

  /**
   * @param field the argument that is wrong, or null
   * @param message names the thing, the value, the rule and the way out
   */
  public QueryRefusal(Kind kind, @Nullable String field, String message) {
    super(message);
    this.kind = kind;
    this.field = field;
  }

  public static QueryRefusal invalid(String field, String message) {
    return new QueryRefusal(Kind.INVALID, field, message);
  }

  public Kind kind() {
    return kind;
  }

  public @Nullable String field() {
    return field;
  }
}
