package dev.tidemark.activities.index.object;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;

/** What orders the changes of a key: numbers, times or texts. */
public final class Ordering {
  private Ordering() {}

  /**
   * A number if it reads as one, else a time, else the text itself.
   *
   * @throws IllegalArgumentException if it is a time outside the years 1 to 9999
   */
  public static Comparable<?> parse(String text) {
    char first = text.isEmpty() ? ' ' : text.charAt(0);
    if (first == '+') {
      // A year of more than four digits begins so; a number that does has always been a text.
      return timeOrText(text);
    }
    if (first != '-' && !Character.isDigit(first)) {
      return text;
    }
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      return timeOrText(text);
    }
  }

  private static Comparable<?> timeOrText(String text) {
    Instant time;
    try {
      time = OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      return text;
    }
    if (!Values.isInYears(time)) {
      throw new IllegalArgumentException(
          "'%s' is not a time in the years 1 to 9999".formatted(text));
    }
    // What is finer would be cut off when it is kept.
    return time.equals(time.truncatedTo(ChronoUnit.MICROS)) ? time : text;
  }

  /**
   * Compares two of one column.
   *
   * @throws IllegalArgumentException if one is a number and the other a text, say
   */
  @SuppressWarnings("unchecked")
  public static int compare(Comparable<?> one, Comparable<?> other) {
    if (one.getClass() != other.getClass()) {
      throw new IllegalArgumentException(
          "the orderings '%s' and '%s' cannot be compared; give the column one kind of values"
              .formatted(one, other));
    }
    return ((Comparable<Object>) one).compareTo(other);
  }
}
