package dev.tidemark.activities.task;

import java.time.Duration;

/** Texts as they are kept in the ledger. */
final class Texts {
  private static final int MAX_ERROR = 4 * 1024;
  private static final String OURS = "dev.tidemark.activities.";

  private Texts() {}

  /** Without the one character that PostgreSQL cannot keep. */
  static String clean(String text) {
    return text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
  }

  /** The first characters, with a sign that more followed. */
  static String head(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most - 1) + "…";
  }

  /** An error of at most 4 KB. */
  static String error(String text) {
    return clean(head(text, MAX_ERROR));
  }

  /**
   * A failure in a line: its message, its kind where that says more, and what caused it. Messages
   * of our own say all of that themselves.
   */
  static String describe(Throwable failure) {
    String message = failure.getMessage();
    if (message != null && failure.getClass().getName().startsWith(OURS)) {
      return message;
    }
    String text =
        message == null
            ? failure.getClass().getSimpleName()
            : failure.getClass().getSimpleName() + ": " + message;
    Throwable cause = failure.getCause();
    boolean told =
        cause == null || (message != null && message.contains(String.valueOf(cause.getMessage())));
    return told ? text : text + "; caused by " + cause;
  }

  /** A duration as the configuration spells it: {@code 1h30m}. */
  static String duration(Duration duration) {
    StringBuilder text = new StringBuilder();
    append(text, duration.toDays(), "d");
    append(text, duration.toHoursPart(), "h");
    append(text, duration.toMinutesPart(), "m");
    append(text, duration.toSecondsPart(), "s");
    return text.isEmpty() ? duration.toMillis() + "ms" : text.toString();
  }

  private static void append(StringBuilder text, long amount, String unit) {
    if (amount > 0) {
      text.append(amount).append(unit);
    }
  }
}
