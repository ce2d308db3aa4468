package dev.tidemark.workflows.partition;

import java.time.Instant;
import java.time.LocalDate;

/** How a zone's calendar is cut into the windows of one grain, without beginning or end. */
sealed interface WindowCalendar permits DateCalendar, ClockCalendar {

  /** The window that contains the instant. */
  Window containing(Instant instant);

  /** The window {@code n} existing windows later; earlier if negative. */
  Window plus(Window window, int n);

  /**
   * The window with this label.
   *
   * @throws IllegalArgumentException if the label is malformed, or does not exist in the zone
   */
  Window parse(String label);

  /**
   * The first window of the date.
   *
   * @throws IllegalArgumentException if no window begins with that date
   */
  Window beginningWith(LocalDate date);
}
