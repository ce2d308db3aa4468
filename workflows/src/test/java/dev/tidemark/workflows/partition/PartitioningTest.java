package dev.tidemark.workflows.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitioningTest {

  private static Partitioning days(String zone) {
    return new Partitioning(Grain.DAY, ZoneId.of(zone), "1970-01-02", null);
  }

  private static Partitioning hours(String zone) {
    return new Partitioning(Grain.HOUR, ZoneId.of(zone), "1970-01-02", null);
  }

  private static List<String> labelsOf(Partitioning partitions, Window day) {
    return partitions.windows(day.start(), day.end()).stream().map(Window::label).toList();
  }

  private static Duration lengthOf(Window window) {
    return Duration.between(window.start(), window.end());
  }

  // contracts, section 2
  @ParameterizedTest
  @CsvSource({
    "15m, 2026-09-05T13:15, 2026-09-05T13:15:00Z, 2026-09-05T13:30:00Z",
    "hour, 2026-09-05T13, 2026-09-05T13:00:00Z, 2026-09-05T14:00:00Z",
    "day, 2026-09-05, 2026-09-05T00:00:00Z, 2026-09-06T00:00:00Z",
    "week, 2026-W36, 2026-08-31T00:00:00Z, 2026-09-07T00:00:00Z",
    "month, 2026-09, 2026-09-01T00:00:00Z, 2026-10-01T00:00:00Z",
    "quarter, 2026-Q3, 2026-07-01T00:00:00Z, 2026-10-01T00:00:00Z",
    "year, 2026, 2026-01-01T00:00:00Z, 2027-01-01T00:00:00Z",
  })
  void eachGrainHasItsLabel(String grain, String label, Instant start, Instant end) {
    Partitioning partitions = new Partitioning(Grain.of(grain), ZoneId.of("UTC"), label, null);

    assertThat(partitions.first()).isEqualTo(new Window(label, start, end));
    assertThat(partitions.parse(label)).isEqualTo(partitions.first());
    assertThat(partitions.containing(start)).isEqualTo(partitions.first());
    assertThat(partitions.containing(end.minusNanos(1))).isEqualTo(partitions.first());
    assertThat(partitions.containing(end)).isEqualTo(partitions.next(partitions.first()));
  }

  // ISO weeks belong to the year of their Thursday
  @Test
  void weeksAreThoseOfIso8601() {
    Partitioning weeks = new Partitioning(Grain.WEEK, ZoneId.of("UTC"), "2020-W53", null);

    assertThat(weeks.first().start()).isEqualTo("2020-12-28T00:00:00Z");
    assertThat(weeks.next(weeks.first()).label()).isEqualTo("2021-W01");
    assertThat(weeks.previous(weeks.first()).label()).isEqualTo("2020-W52");
  }

  // A1
  @Test
  void windowsAreHalfOpen() {
    Partitioning days = days("Europe/Istanbul");
    Window day = days.parse("2026-09-05");

    assertThat(days.containing(day.start())).isEqualTo(day);
    assertThat(days.containing(day.end()).label()).isEqualTo("2026-09-06");
  }

  // c-E1, c-E9
  @ParameterizedTest
  @CsvSource({
    "Europe/Brussels, 2026-03-29, 23",
    "Europe/Brussels, 2026-10-25, 25",
    "Europe/Brussels, 2026-06-01, 24",
    "America/New_York, 2026-03-08, 23",
    "America/New_York, 2026-11-01, 25",
    "America/Santiago, 2026-09-06, 23",
    "Africa/Cairo, 2024-04-26, 23",
    "Asia/Beirut, 2022-03-27, 23",
    "Europe/Istanbul, 2026-03-29, 24",
  })
  void aDayIsAsLongAsTheClocksMakeIt(String zone, String date, int length) {
    Window day = days(zone).parse(date);

    assertThat(lengthOf(day)).isEqualTo(Duration.ofHours(length));
    assertThat(labelsOf(hours(zone), day)).hasSize(length).doesNotHaveDuplicates();
  }

  @Test
  void anHourThatOccursTwiceCarriesItsOffsetAndNoOtherDoes() {
    Partitioning hours = hours("America/Los_Angeles");
    Window day = days("America/Los_Angeles").parse("2026-11-01");

    assertThat(labelsOf(hours, day))
        .startsWith(
            "2026-11-01T00",
            "2026-11-01T01-0700",
            "2026-11-01T01-0800",
            "2026-11-01T02",
            "2026-11-01T03");
    assertThat(hours.parse("2026-11-01T01-0700").start()).isEqualTo("2026-11-01T08:00:00Z");
    assertThat(hours.parse("2026-11-01T01-0800").start()).isEqualTo("2026-11-01T09:00:00Z");
  }

  @Test
  void anHourThatTheClocksSkipDoesNotExist() {
    Partitioning hours = hours("America/New_York");

    assertThat(hours.next(hours.parse("2026-03-08T01")).label()).isEqualTo("2026-03-08T03");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hours.parse("2026-03-08T02"))
        .withMessage("'2026-03-08T02' does not exist in America/New_York");
  }

  @Test
  void halfHourShiftsCutAnHour() {
    Partitioning hours = hours("Australia/Lord_Howe");

    Window spring = hours.parse("2026-10-04T02");
    assertThat(lengthOf(spring)).isEqualTo(Duration.ofMinutes(30));
    assertThat(hours.previous(spring).label()).isEqualTo("2026-10-04T01");

    Window whole = hours.parse("2026-04-05T01+1100");
    Window half = hours.next(whole);
    assertThat(half.label()).isEqualTo("2026-04-05T01+1030");
    assertThat(lengthOf(whole)).isEqualTo(Duration.ofHours(1));
    assertThat(lengthOf(half)).isEqualTo(Duration.ofMinutes(30));
    assertThat(hours.next(half).label()).isEqualTo("2026-04-05T02");
  }

  @Test
  void aMidnightThatDoesNotExistMakesADayStartAtOne() {
    Window day = days("America/Santiago").parse("2026-09-06");

    assertThat(day.start()).isEqualTo("2026-09-06T04:00:00Z");
    assertThat(labelsOf(hours("America/Santiago"), day)).startsWith("2026-09-06T01");
  }

  @Test
  void clocksThatGoBackOverMidnightLengthenTheDayBefore() {
    Window day = days("America/Santiago").parse("2026-04-04");

    assertThat(lengthOf(day)).isEqualTo(Duration.ofHours(25));
    assertThat(labelsOf(hours("America/Santiago"), day))
        .endsWith("2026-04-04T22", "2026-04-04T23-0300", "2026-04-04T23-0400");
  }

  @Test
  void aDayThatTheZoneLeftOutDoesNotExist() {
    Partitioning days = days("Pacific/Apia");
    Window before = days.parse("2011-12-29");
    Window after = days.parse("2011-12-31");

    assertThat(days.next(before)).isEqualTo(after);
    assertThat(days.previous(after)).isEqualTo(before);
    assertThat(days.plus(before, 1)).isEqualTo(after);
    assertThat(days.plus(after, -1)).isEqualTo(before);
    assertThat(days.plus(before, 3).label()).isEqualTo("2012-01-02");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> days.parse("2011-12-30"))
        .withMessage("'2011-12-30' does not exist in Pacific/Apia");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Partitioning(Grain.HOUR, ZoneId.of("Pacific/Apia"), "2011-12-30", null))
        .withMessage("start: '2011-12-30' does not exist in Pacific/Apia");
  }

  @Test
  void anHourMayStartAtADateOrAtAnHour() {
    ZoneId zone = ZoneId.of("America/Santiago");

    assertThat(new Partitioning(Grain.HOUR, zone, "2026-09-06", null).first().label())
        .isEqualTo("2026-09-06T01");
    assertThat(new Partitioning(Grain.HOUR, zone, "2026-09-06T05", null).first().label())
        .isEqualTo("2026-09-06T05");
  }

  @Test
  void aMonthMayStartAtItsFirstDay() {
    Partitioning months =
        new Partitioning(Grain.MONTH, ZoneId.of("UTC"), "2012-01-01", "2012-03-01");

    assertThat(months.windows(Instant.MIN, Instant.MAX).stream().map(Window::label))
        .containsExactly("2012-01", "2012-02");
  }

  // design, invariant 12
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "month | 2012-01-15 | start: '2012-01-15' is not the first day of a month: 2012-01 begins on"
            + " 2012-01-01",
        "week | 2026-09-05 | start: '2026-09-05' is not the first day of a week: 2026-W36 begins on"
            + " 2026-08-31",
        "day | 2026-02-30 | start: '2026-02-30' does not exist in the calendar",
        "day | yesterday | start: 'yesterday' is not the label of a day: write it like 2026-09-05",
        "day | 2026-09 | start: '2026-09' is not the label of a day: write it like 2026-09-05",
        "week | 2026-W54 | start: '2026-W54' does not exist in the calendar; a week is written like"
            + " 2026-W36",
        "week | 2025-W53 | start: '2025-W53' does not exist in the calendar; a week is written like"
            + " 2026-W36",
        "month | 2026-13 | start: '2026-13' does not exist in the calendar; a month is written like"
            + " 2026-09",
        "quarter | 2026-Q5 | start: '2026-Q5' does not exist in the calendar; a quarter is written"
            + " like 2026-Q3",
        "year | 26 | start: '26' is not the label of a year: write it like 2026",
        "hour | 2026-09-05T24 | start: '2026-09-05T24' does not exist in the calendar",
        "hour | 2026-09-05T13:15 | start: '2026-09-05T13:15' is not the label of an hour: write it"
            + " like 2026-09-05T13",
        "15m | 2026-09-05T13 | start: '2026-09-05T13' is not the label of a quarter of an hour:"
            + " write it like 2026-09-05T13:15",
        "15m | 2026-09-05T13:20 | start: '2026-09-05T13:20' does not begin a quarter of an hour:"
            + " write it like 2026-09-05T13:15",
      })
  void aStartThatIsNoWindowIsRefused(String grain, String start, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Partitioning(Grain.of(grain), ZoneId.of("UTC"), start, null))
        .withMessage(message);
  }

  @Test
  void anEndNotAfterTheStartIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Partitioning(Grain.DAY, ZoneId.of("UTC"), "2012-01-02", "2012-01-02"))
        .withMessage("end '2012-01-02' must be after start '2012-01-02'");
  }

  @Test
  void anHourThatOccursTwiceIsRefusedWithoutItsOffsetAndAnyOtherWithOne() {
    Partitioning hours = hours("America/Los_Angeles");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> hours.parse("2026-11-01T01"))
        .withMessage(
            "'2026-11-01T01' occurs more than once in America/Los_Angeles:"
                + " write one of 2026-11-01T01-0700, 2026-11-01T01-0800");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hours.parse("2026-11-01T05-0800"))
        .withMessage(
            "'2026-11-01T05-0800' occurs once in America/Los_Angeles: write it as 2026-11-01T05");
  }

  @Test
  void aRangeIsClippedToStartAndEnd() {
    Partitioning days = new Partitioning(Grain.DAY, ZoneId.of("UTC"), "2012-01-01", "2012-01-04");

    assertThat(days.windows(Instant.parse("2012-01-01T00:00:01Z"), Instant.MAX))
        .extracting(Window::label)
        .containsExactly("2012-01-02", "2012-01-03");
    assertThat(days.contains(days.parse("2011-12-31"))).isFalse();
    assertThat(days.contains(days.parse("2012-01-01"))).isTrue();
    assertThat(days.contains(days.parse("2012-01-04"))).isFalse();
  }

  @Test
  void tenYearsOfHoursAreEnumeratedInOrder() {
    Partitioning hours = hours("America/New_York");

    List<Window> windows =
        hours.windows(Instant.parse("2014-01-01T05:00:00Z"), Instant.parse("2024-01-01T05:00:00Z"));

    assertThat(windows).hasSize(87_648).isSorted();
    assertThat(hours.plus(windows.get(0), windows.size() - 1))
        .isEqualTo(windows.get(windows.size() - 1));
  }

  @Test
  void moreWindowsThanTheBoundAreRefused() {
    Partitioning quarters =
        new Partitioning(Grain.QUARTER_HOUR, ZoneId.of("UTC"), "2026-01-01", null);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> quarters.windows(Instant.MIN, Instant.parse("9999-01-01T00:00:00Z")))
        .withMessage(
            "there must be at most 2000000 windows from 2026-01-01T00:00 to 9999-01-01T00:00:00Z");
  }
}
