package dev.tidemark.workflows.closure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClosureTest {
  private static final ZoneId ISTANBUL = ZoneId.of("Europe/Istanbul");
  private static final Closure AFTER_ONE_HOUR = new Closure.AfterDelay(Duration.ofHours(1));
  private static final Closure AT_ONE = new Closure.AtWallTime(LocalTime.of(1, 0));

  private static Partitioning days(ZoneId zone) {
    return new Partitioning(Grain.DAY, zone, "2000-01-01", null);
  }

  private static Instant at(String local, ZoneId zone) {
    return LocalDateTime.parse(local).atZone(zone).toInstant();
  }

  // A4, A5, A6, A7, A8
  @ParameterizedTest
  @CsvSource({
    "2026-08-04T00:40, 2026-08-02",
    "2026-08-04T00:59:59.999999999, 2026-08-02",
    "2026-08-04T01:00, 2026-08-03",
    "2026-08-04T23:00, 2026-08-03",
  })
  void theNewestClosedDayFollowsTheBoundaryNotTheCalendar(String now, String closed) {
    for (Closure closure : List.of(AFTER_ONE_HOUR, AT_ONE)) {
      assertThat(closure.newestClosed(days(ISTANBUL), at(now, ISTANBUL)))
          .as(closure.toString())
          .map(Window::label)
          .hasValue(closed);
    }
  }

  // A2
  @Test
  void theBoundaryItselfIsClosed() {
    Window day = days(ISTANBUL).parse("2026-08-03");
    Instant boundary = day.end().plus(Duration.ofHours(1));

    assertThat(AFTER_ONE_HOUR.isClosed(day, ISTANBUL, boundary)).isTrue();
    assertThat(AFTER_ONE_HOUR.isClosed(day, ISTANBUL, boundary.minusNanos(1))).isFalse();
  }

  // A3
  @Test
  void nothingIsClosedBeforeTheFirstWindowIs() {
    Partitioning days = new Partitioning(Grain.DAY, ISTANBUL, "2026-08-03", "2026-08-05");

    assertThat(AT_ONE.newestClosed(days, at("2026-08-04T00:59", ISTANBUL))).isEmpty();
    assertThat(AT_ONE.newestClosed(days, at("1999-08-04T00:59", ISTANBUL))).isEmpty();
    assertThat(AT_ONE.newestClosed(days, at("2026-08-04T01:00", ISTANBUL)))
        .map(Window::label)
        .hasValue("2026-08-03");
  }

  @Test
  void theLastWindowStaysTheNewestClosed() {
    Partitioning days = new Partitioning(Grain.DAY, ISTANBUL, "2026-08-03", "2026-08-05");

    assertThat(AT_ONE.newestClosed(days, at("2026-08-05T00:59", ISTANBUL)))
        .map(Window::label)
        .hasValue("2026-08-03");
    assertThat(AFTER_ONE_HOUR.newestClosed(days, at("2030-01-01T00:00", ISTANBUL)))
        .map(Window::label)
        .hasValue("2026-08-04");
  }

  @Test
  void aDelayMayBeLongerThanAWindow() {
    Partitioning hours = new Partitioning(Grain.HOUR, ISTANBUL, "2026-08-01", null);
    Closure closure = new Closure.AfterDelay(Duration.ofDays(2));

    assertThat(closure.newestClosed(hours, at("2026-08-04T13:00", ISTANBUL)))
        .map(Window::label)
        .hasValue("2026-08-02T12");
  }

  // c-E4: shifted forward, never skipped
  @ParameterizedTest
  @CsvSource({
    "America/New_York, 2026-03-07, 02:30, 2026-03-08T07:00:00Z, does not exist",
    "America/New_York, 2026-10-31, 01:30, 2026-11-01T05:30:00Z, occurs twice",
    "America/Santiago, 2026-09-05, 00:00, 2026-09-06T04:00:00Z, midnight does not exist",
    "Pacific/Apia, 2011-12-29, 06:00, 2011-12-30T16:00:00Z, the next day does not exist",
  })
  void aWallTimeIsOfTheDayAfterTheWindow(
      String zone, String day, LocalTime time, Instant closes, String why) {
    Window window = days(ZoneId.of(zone)).parse(day);

    assertThat(new Closure.AtWallTime(time).closesAt(window, ZoneId.of(zone)))
        .as(why)
        .isEqualTo(closes);
  }

  @Test
  void aWallTimeClosesAMonthOnTheDayAfterItsLast() {
    Partitioning months = new Partitioning(Grain.MONTH, ISTANBUL, "2026-01", null);

    assertThat(AT_ONE.closesAt(months.parse("2026-02"), ISTANBUL))
        .isEqualTo(at("2026-03-01T01:00", ISTANBUL));
  }

  // c-D20: never before end(d) + L, in any zone
  @Test
  void noWindowIsClosedBeforeItsEndInAnyZone() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (String id : ZoneId.getAvailableZoneIds().stream().sorted().toList()) {
      ZoneId zone = ZoneId.of(id);
      Partitioning days = new Partitioning(Grain.DAY, zone, "1970-01-02", null);
      for (int i = 0; i < 20; i++) {
        Instant now = Instant.ofEpochSecond(random.nextLong(1_000_000, 2_000_000_000));
        Closure closure =
            random.nextBoolean()
                ? new Closure.AfterDelay(Duration.ofMinutes(random.nextInt(5000)))
                : new Closure.AtWallTime(LocalTime.ofSecondOfDay(random.nextInt(86_400)));
        Window newest = closure.newestClosed(days, now).orElseThrow();
        String what = id + " " + closure + " at " + now + ", seed " + seed;

        assertThat(newest.end()).as(what).isBeforeOrEqualTo(now);
        assertThat(closure.closesAt(newest, zone)).as(what).isBetween(newest.end(), now);
        assertThat(closure.isClosed(days.next(newest), zone, now)).as(what).isFalse();
      }
    }
  }

  @Test
  void aNegativeDelayIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Closure.AfterDelay(Duration.ofHours(-1)))
        .withMessage("closes-after must not be negative: PT-1H");
  }
}
