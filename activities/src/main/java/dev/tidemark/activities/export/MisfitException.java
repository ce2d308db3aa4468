package dev.tidemark.activities.export;

import org.jspecify.annotations.Nullable;

/** A value that its column cannot hold: the data is bad, and another attempt finds the same. */
public final class MisfitException extends Exception {
  private static final long serialVersionUID = 1L;

  private static final int SHOWN = 200;

  MisfitException(String message) {
    super(message);
  }

  /**
   * The whole of it, as people find the row by it.
   *
   * @param key the first column's value
   */
  static MisfitException of(String column, String keyColumn, @Nullable Object key, Misfit misfit) {
    return new MisfitException(
        "column '%s' of the row with %s %s has %s, which is no %s: %s"
            .formatted(
                column,
                keyColumn,
                shown(key),
                shown(misfit.value()),
                misfit.type(),
                misfit.rule()));
  }

  private static String shown(@Nullable Object value) {
    String text = String.valueOf(value);
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }

  /** What does not fit, before it is known in which row. */
  record Misfit(Object value, String type, String rule) {}
}
