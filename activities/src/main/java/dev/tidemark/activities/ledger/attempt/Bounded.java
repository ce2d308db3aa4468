package dev.tidemark.activities.ledger.attempt;

import org.jspecify.annotations.Nullable;

/** Texts from tasks, cut to what the ledger keeps; PostgreSQL has no zero character. */
final class Bounded {
  private static final int MAX_ERROR = 4_000;
  private static final int MAX_LOG = 64_000;

  private Bounded() {}

  /** The beginning: it says what is wrong. */
  static String error(String text) {
    String clean = text.replace("\0", "");
    return clean.length() <= MAX_ERROR ? clean : clean.substring(0, MAX_ERROR) + " ...";
  }

  /** The end: it says what happened last. */
  static @Nullable String log(@Nullable String text) {
    if (text == null) {
      return null;
    }
    String clean = text.replace("\0", "");
    return clean.length() <= MAX_LOG ? clean : clean.substring(clean.length() - MAX_LOG);
  }
}
