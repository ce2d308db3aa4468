package dev.tidemark.activities.page;

import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.workflows.partition.Partitioning;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a pipeline's calendar is shown, and how finely. From start inclusive to end
 * exclusive.
 *
 * @param from null for no bound
 * @param to null for no bound
 */
public record Zoom(@Nullable Instant from, @Nullable Instant to, By by) {
  /** What one cell is. */
  public enum By {
    WINDOW,
    DAY,
    MONTH;

    /** As it is written, and as PostgreSQL truncates. */
    String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A year, a month, a day or all, in the pipeline's zone.
   *
   * @param within {@code 2026}, {@code 2026-09} or {@code 2026-09-05}; null is all
   * @param by {@code window}, {@code day} or {@code month}; null is what suits the period
   * @throws LedgerRefusal if it is none of these
   */
  public static Zoom of(Partitioning partitions, @Nullable String within, @Nullable String by) {
    ZoneId zone = partitions.zone();
    boolean days = partitions.every().isDaysOrLonger();
    if (within == null) {
      return new Zoom(null, null, by(by, By.MONTH));
    }
    try {
      return switch (within.length()) {
        case 4 -> {
          LocalDate first = Year.parse(within).atDay(1);
          yield between(zone, first, first.plusYears(1), by(by, By.DAY));
        }
        case 7 -> {
          LocalDate first = YearMonth.parse(within).atDay(1);
          yield between(zone, first, first.plusMonths(1), by(by, days ? By.WINDOW : By.DAY));
        }
        default -> {
          LocalDate day = LocalDate.parse(within);
          yield between(zone, day, day.plusDays(1), by(by, By.WINDOW));
        }
      };
    } catch (DateTimeException e) {
      throw invalid(
          "within",
          "within '" + within + "' must be a year, month or day: 2026, 2026-09 or 2026-09-05");
    }
  }

  private static Zoom between(ZoneId zone, LocalDate from, LocalDate to, By by) {
    return new Zoom(from.atStartOfDay(zone).toInstant(), to.atStartOfDay(zone).toInstant(), by);
  }

  private static By by(@Nullable String by, By otherwise) {
    if (by == null) {
      return otherwise;
    }
    for (By known : By.values()) {
      if (known.code().equals(by)) {
        return known;
      }
    }
    throw invalid("by", "by '" + by + "' must be window, day or month");
  }

  private static LedgerRefusal invalid(String field, String message) {
    return new LedgerRefusal(LedgerRefusal.Kind.INVALID, field, message);
  }
}
