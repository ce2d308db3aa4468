package dev.tidemark.workflows.partition;

import java.time.Instant;

/**
 * The half-open interval [start, end) of a partition (A1), and its label.
 *
 * @param label as in contracts, section 2: {@code 2026-09-05}, {@code 2026-09-05T13}, {@code
 *     2026-W36}; unique within a pipeline
 * @param start the first instant
 * @param end the first instant after it; always later than start
 */
public record Window(String label, Instant start, Instant end) implements Comparable<Window> {
  public Window {
    if (!start.isBefore(end)) {
      throw new IllegalArgumentException(
          "window " + label + " must start before it ends: " + start + " to " + end);
    }
  }

  /** Order is by start, never by text. */
  @Override
  public int compareTo(Window other) {
    return start.compareTo(other.start);
  }
}
