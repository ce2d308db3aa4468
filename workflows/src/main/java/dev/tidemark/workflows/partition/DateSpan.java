package dev.tidemark.workflows.partition;

import java.text.ParsePosition;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.chrono.IsoChronology;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.time.temporal.TemporalUnit;
import java.util.Locale;

/** A stretch of whole calendar dates, and its label. */
enum DateSpan {
  DAY(ChronoUnit.DAYS, "2026-09-05", label().append(DateTimeFormatter.ISO_LOCAL_DATE)),
  WEEK(
      ChronoUnit.WEEKS,
      "2026-W36",
      label()
          .appendValue(IsoFields.WEEK_BASED_YEAR, 4)
          .appendLiteral("-W")
          .appendValue(IsoFields.WEEK_OF_WEEK_BASED_YEAR, 2)
          .parseDefaulting(ChronoField.DAY_OF_WEEK, 1)),
  MONTH(
      ChronoUnit.MONTHS,
      "2026-09",
      label()
          .appendValue(ChronoField.YEAR, 4)
          .appendLiteral('-')
          .appendValue(ChronoField.MONTH_OF_YEAR, 2)
          .parseDefaulting(ChronoField.DAY_OF_MONTH, 1)),
  QUARTER(
      IsoFields.QUARTER_YEARS,
      "2026-Q3",
      label()
          .appendValue(ChronoField.YEAR, 4)
          .appendLiteral("-Q")
          .appendValue(IsoFields.QUARTER_OF_YEAR, 1)
          .parseDefaulting(IsoFields.DAY_OF_QUARTER, 1)),
  YEAR(
      ChronoUnit.YEARS,
      "2026",
      label().appendValue(ChronoField.YEAR, 4).parseDefaulting(ChronoField.DAY_OF_YEAR, 1));

  private final TemporalUnit unit;
  private final String example;
  private final DateTimeFormatter formatter;

  DateSpan(TemporalUnit unit, String example, DateTimeFormatterBuilder label) {
    this.unit = unit;
    this.example = example;
    this.formatter =
        label
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT)
            .withChronology(IsoChronology.INSTANCE);
  }

  /** The first date of the span that contains the date. */
  LocalDate firstOf(LocalDate date) {
    return switch (this) {
      case DAY -> date;
      case WEEK -> date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
      case MONTH -> date.withDayOfMonth(1);
      case QUARTER -> date.with(IsoFields.DAY_OF_QUARTER, 1);
      case YEAR -> date.withDayOfYear(1);
    };
  }

  /** The first date of the {@code n}th span after the one that begins with {@code first}. */
  LocalDate plus(LocalDate first, long n) {
    return first.plus(n, unit);
  }

  /** The label of the span that begins with {@code first}. */
  String labelOf(LocalDate first) {
    return this == DAY ? first.toString() : formatter.format(first);
  }

  /** The first date of the span with this label. */
  LocalDate parse(String label) {
    try {
      return LocalDate.parse(label, formatter);
    } catch (DateTimeParseException e) {
      String rule =
          formatter.parseUnresolved(label, new ParsePosition(0)) == null
              ? "' is not the label of a " + noun() + ": write it like " + example
              : "' does not exist in the calendar; a " + noun() + " is written like " + example;
      throw new IllegalArgumentException("'" + label + rule, e);
    }
  }

  String noun() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static DateTimeFormatterBuilder label() {
    return new DateTimeFormatterBuilder();
  }
}
