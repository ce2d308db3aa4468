package dev.tidemark.workflows.partition;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;

/**
 * Windows of a day and longer: from the first instant of their first date to the first instant of
 * the next window's. A day without any instant (Pacific/Apia, 2011-12-30) does not exist.
 */
final class DateCalendar implements WindowCalendar {
  private final DateSpan span;
  private final ZoneId zone;

  /** The dates that the zone left out, oldest first; only a window of one day can be one. */
  private final List<LocalDate> leftOut;

  DateCalendar(DateSpan span, ZoneId zone) {
    this.span = span;
    this.zone = zone;
    this.leftOut = span == DateSpan.DAY ? datesLeftOut(zone) : List.of();
  }

  @Override
  public Window containing(Instant instant) {
    LocalDate first = span.firstOf(instant.atZone(zone).toLocalDate());
    // Where the clocks go back over midnight, the wall date of an instant is not the day it is in.
    while (startOf(first).isAfter(instant)) {
      first = span.plus(first, -1);
    }
    while (!startOf(span.plus(first, 1)).isAfter(instant)) {
      first = span.plus(first, 1);
    }
    return windowFrom(first);
  }

  @Override
  public Window plus(Window window, int n) {
    LocalDate from = window.start().atZone(zone).toLocalDate();
    LocalDate to = span.plus(from, n);
    for (int i = 0; i < leftOut.size(); i++) {
      LocalDate date = leftOut.get(n > 0 ? i : leftOut.size() - 1 - i);
      if (n > 0 && date.isAfter(from) && !date.isAfter(to)) {
        to = to.plusDays(1);
      } else if (n < 0 && date.isBefore(from) && !date.isBefore(to)) {
        to = to.minusDays(1);
      }
    }
    return windowFrom(to);
  }

  @Override
  public Window parse(String label) {
    return existing(span.parse(label));
  }

  @Override
  public Window beginningWith(LocalDate date) {
    LocalDate first = span.firstOf(date);
    if (!first.equals(date)) {
      throw new IllegalArgumentException(
          "'%s' is not the first day of a %s: %s begins on %s"
              .formatted(date, span.noun(), span.labelOf(first), first));
    }
    return existing(first);
  }

  private Window existing(LocalDate first) {
    if (leftOut.contains(first)) {
      throw new IllegalArgumentException("'" + first + "' does not exist in " + zone);
    }
    return windowFrom(first);
  }

  private Window windowFrom(LocalDate first) {
    return new Window(span.labelOf(first), startOf(first), startOf(span.plus(first, 1)));
  }

  private Instant startOf(LocalDate date) {
    return date.atStartOfDay(zone).toInstant();
  }

  private static List<LocalDate> datesLeftOut(ZoneId zone) {
    return zone.getRules().getTransitions().stream()
        .filter(transition -> transition.getDuration().compareTo(Duration.ofDays(1)) >= 0)
        .flatMap(
            gap ->
                gap.getDateTimeBefore()
                    .toLocalDate()
                    .datesUntil(gap.getDateTimeAfter().toLocalDate()))
        .filter(date -> date.atStartOfDay(zone).equals(date.plusDays(1).atStartOfDay(zone)))
        .toList();
  }
}
