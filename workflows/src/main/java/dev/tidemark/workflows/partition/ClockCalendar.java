package dev.tidemark.workflows.partition;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Windows shorter than a day: cut at the full hour, or quarter of an hour, of the wall clock, and
 * at a change of offset that falls between these (Australia/Lord_Howe).
 */
final class ClockCalendar implements WindowCalendar {
  private static final Pattern LABEL =
      Pattern.compile("(\\d{4}-\\d{2}-\\d{2})T(\\d{2})(?::(\\d{2}))?([+-]\\d{4}(?:\\d{2})?)?");

  /** No offset is further from UTC, either way. */
  private static final int MAX_OFFSET_SECONDS = 18 * 60 * 60;

  private final int minutes;
  private final ZoneId zone;

  /** The run asked for last: windows are mostly asked for in a row. A stale one is only slower. */
  private volatile @Nullable OffsetRun recent;

  ClockCalendar(int minutes, ZoneId zone) {
    this.minutes = minutes;
    this.zone = zone;
  }

  @Override
  public Window containing(Instant instant) {
    OffsetRun run = runAt(instant);
    return run.window(run.indexAt(instant));
  }

  @Override
  public Window plus(Window window, int n) {
    OffsetRun run = runAt(window.start());
    long index = run.indexAt(window.start()) + n;
    while (index > run.last()) {
      OffsetRun following = runAfter(run);
      index += following.first() - run.last() - 1;
      run = following;
    }
    while (index < run.first()) {
      OffsetRun preceding = runBefore(run);
      index += preceding.last() - run.first() + 1;
      run = preceding;
    }
    return run.window(index);
  }

  @Override
  public Window parse(String label) {
    Matcher parts = LABEL.matcher(label);
    if (!parts.matches() || (parts.group(3) == null) != (minutes == 60)) {
      throw new IllegalArgumentException(
          "'" + label + "' is not the label of " + noun() + ": write it like " + example());
    }
    LocalDateTime wall = wallTime(label, parts);
    List<OffsetRun> runs = runsWith(wall);
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("'" + label + "' does not exist in " + zone);
    }
    for (OffsetRun run : runs) {
      Window window = run.window(indexOf(wall));
      if (window.label().equals(label)) {
        return window;
      }
    }
    List<String> known = runs.stream().map(run -> run.window(indexOf(wall)).label()).toList();
    throw new IllegalArgumentException(
        known.size() == 1
            ? "'%s' occurs once in %s: write it as %s".formatted(label, zone, known.get(0))
            : "'%s' occurs more than once in %s: write one of %s"
                .formatted(label, zone, String.join(", ", known)));
  }

  @Override
  public Window beginningWith(LocalDate date) {
    Window first = containing(date.atStartOfDay(zone).toInstant());
    if (!first.label().startsWith(date.toString())) {
      throw new IllegalArgumentException("'" + date + "' does not exist in " + zone);
    }
    return first;
  }

  private LocalDateTime wallTime(String label, Matcher parts) {
    try {
      String minute = parts.group(3) == null ? "00" : parts.group(3);
      LocalDateTime wall =
          LocalDateTime.parse(parts.group(1) + "T" + parts.group(2) + ":" + minute);
      if (wall.getMinute() % minutes != 0) {
        throw new IllegalArgumentException(
            "'" + label + "' does not begin " + noun() + ": write it like " + example());
      }
      return wall;
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("'" + label + "' does not exist in the calendar", e);
    }
  }

  /** The runs that have a window with this wall time, oldest first. */
  private List<OffsetRun> runsWith(LocalDateTime wall) {
    Instant utc = wall.toInstant(ZoneOffset.UTC);
    Instant latest = utc.plusSeconds(MAX_OFFSET_SECONDS + minutes * 60L);
    List<OffsetRun> runs = new ArrayList<>();
    OffsetRun run = runAt(utc.minusSeconds(MAX_OFFSET_SECONDS));
    while (true) {
      if (run.has(indexOf(wall))) {
        runs.add(run);
      }
      Instant end = run.end();
      if (end == null || end.isAfter(latest)) {
        return runs;
      }
      run = runAt(end);
    }
  }

  private long indexOf(LocalDateTime wall) {
    return Math.floorDiv(wall.toEpochSecond(ZoneOffset.UTC), minutes * 60L);
  }

  private OffsetRun runAt(Instant instant) {
    OffsetRun run = recent;
    if (run == null || !run.covers(instant)) {
      run = OffsetRun.at(instant, zone.getRules(), minutes);
      recent = run;
    }
    return run;
  }

  private OffsetRun runAfter(OffsetRun run) {
    return runAt(Objects.requireNonNull(run.end()));
  }

  private OffsetRun runBefore(OffsetRun run) {
    return runAt(Objects.requireNonNull(run.start()).minusSeconds(1));
  }

  private String noun() {
    return minutes == 60 ? "an hour" : "a quarter of an hour";
  }

  private String example() {
    return minutes == 60 ? "2026-09-05T13" : "2026-09-05T13:15";
  }
}
