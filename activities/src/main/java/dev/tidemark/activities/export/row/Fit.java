package dev.tidemark.activities.export.row;

import dev.tidemark.workflows.export.ColumnType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.chrono.IsoEra;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;

/** Sets values that their columns can hold, and refuses the others: nothing is bent. */
final class Fit {
  static final long MICROS_PER_DAY = 86_400_000_000L;

  private static final String YEARS = "it takes the years 1 to 9999; the query can leave it out";
  private static final long MIN_DAY = LocalDate.of(1, 1, 1).toEpochDay();
  private static final long MAX_DAY = LocalDate.of(9999, 12, 31).toEpochDay();
  private static final long MIN_MICROS = MIN_DAY * MICROS_PER_DAY;
  private static final long MAX_MICROS = (MAX_DAY + 1) * MICROS_PER_DAY - 1;

  /** As PostgreSQL writes them: there is no year 0. */
  private static final DateTimeFormatter DAY =
      new DateTimeFormatterBuilder()
          .appendValue(ChronoField.YEAR_OF_ERA, 4, 10, SignStyle.NEVER)
          .appendPattern("-MM-dd")
          .toFormatter();

  private static final DateTimeFormatter TIME =
      new DateTimeFormatterBuilder().append(DAY).appendPattern(" HH:mm:ss.SSSSSSx").toFormatter();

  private Fit() {}

  static void decimal(Row row, int column, BigDecimal value) throws Misfit {
    ColumnType type = row.type(column);
    BigDecimal kept = value.setScale(type.scale(), RoundingMode.DOWN);
    if (kept.compareTo(value) != 0 || kept.precision() > type.precision()) {
      throw Misfit.of(column, value.toPlainString(), "nothing is rounded here");
    }
    if (type.precision() <= Row.LONG_DIGITS) {
      row.set(column, kept.unscaledValue().longValueExact());
    } else {
      row.set(column, kept.unscaledValue());
    }
  }

  /** The value of so many bytes, with which the row has as many as are given. */
  static void size(int column, int size, long bytesOfRow) throws Misfit {
    if (bytesOfRow > RowSource.MAX_ROW_BYTES) {
      throw Misfit.of(
          column, size + " bytes", "a row takes at most " + RowSource.MAX_ROW_BYTES + " bytes");
    }
  }

  /** What stands in a numeric column and is no number: NaN, and the infinities. */
  static Misfit noNumber(int column, String value) {
    return Misfit.of(column, value, "it takes numbers");
  }

  /** Days since 1970. */
  static void day(Row row, int column, long day) throws Misfit {
    if (day < MIN_DAY || day > MAX_DAY) {
      LocalDate date = LocalDate.ofEpochDay(day);
      throw Misfit.of(column, DAY.format(date) + era(date), YEARS);
    }
    row.set(column, day);
  }

  /** Microseconds since 1970. */
  static void micros(Row row, int column, long micros) throws Misfit {
    if (micros < MIN_MICROS || micros > MAX_MICROS) {
      OffsetDateTime time = Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
      throw Misfit.of(column, TIME.format(time) + era(time.toLocalDate()), YEARS);
    }
    row.set(column, micros);
  }

  /** Before the first day, or after the last one. */
  static Misfit infinite(int column, boolean after) {
    return Misfit.of(column, after ? "infinity" : "-infinity", YEARS);
  }

  private static String era(LocalDate date) {
    return date.getEra() == IsoEra.BCE ? " BC" : "";
  }
}
