package dev.tidemark.workflows.partition;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import org.jspecify.annotations.Nullable;

/**
 * A run of windows under one offset, between two transitions of a zone. A window is known by its
 * index: how many window lengths of wall time lie between 1970-01-01T00:00 and it. The first and
 * the last of a run are cut by the transitions, where these do not fall on a boundary.
 */
final class OffsetRun {
  private final int minutes;
  private final ZoneOffset offset;
  private final @Nullable Instant start;
  private final @Nullable Instant end;
  private final long first;
  private final long last;

  /** The last index of the run before, and the first of the run after: those occur twice. */
  private final long repeatedThrough;

  private final long repeatedFrom;

  private OffsetRun(
      int minutes,
      ZoneOffset offset,
      @Nullable ZoneOffsetTransition before,
      @Nullable ZoneOffsetTransition after) {
    this.minutes = minutes;
    this.offset = offset;
    this.start = before == null ? null : before.getInstant();
    this.end = after == null ? null : after.getInstant();
    this.first = before == null ? Long.MIN_VALUE : index(before.toEpochSecond(), offset);
    this.last = after == null ? Long.MAX_VALUE : index(after.toEpochSecond() - 1, offset);
    this.repeatedThrough =
        before == null
            ? Long.MIN_VALUE
            : index(before.toEpochSecond() - 1, before.getOffsetBefore());
    this.repeatedFrom =
        after == null ? Long.MAX_VALUE : index(after.toEpochSecond(), after.getOffsetAfter());
  }

  /** The run that the instant is in. */
  static OffsetRun at(Instant instant, ZoneRules rules, int minutes) {
    Instant second = Instant.ofEpochSecond(instant.getEpochSecond());
    return new OffsetRun(
        minutes,
        rules.getOffset(second),
        rules.previousTransition(second.plusSeconds(1)),
        rules.nextTransition(second));
  }

  /** The first instant of the run, null if it has no beginning. */
  @Nullable Instant start() {
    return start;
  }

  /** The first instant after the run, null if it has no end. */
  @Nullable Instant end() {
    return end;
  }

  long first() {
    return first;
  }

  long last() {
    return last;
  }

  boolean covers(Instant instant) {
    return (start == null || !instant.isBefore(start)) && (end == null || instant.isBefore(end));
  }

  /** Whether one of its windows has this index. */
  boolean has(long index) {
    return first <= index && index <= last;
  }

  long indexAt(Instant instant) {
    return index(instant.getEpochSecond(), offset);
  }

  /** The window with this index, which must be in the run. */
  Window window(long index) {
    Instant from = Instant.ofEpochSecond(index * minutes * 60 - offset.getTotalSeconds());
    Instant to = from.plusSeconds(minutes * 60L);
    return new Window(
        label(index),
        start != null && start.isAfter(from) ? start : from,
        end != null && end.isBefore(to) ? end : to);
  }

  private String label(long index) {
    long minute = index * minutes;
    long ofDay = Math.floorMod(minute, 24 * 60L);
    StringBuilder label = new StringBuilder(22);
    label.append(LocalDate.ofEpochDay(Math.floorDiv(minute, 24 * 60L))).append('T');
    twoDigits(label, ofDay / 60);
    if (minutes < 60) {
      twoDigits(label.append(':'), ofDay % 60);
    }
    if (index <= repeatedThrough || index >= repeatedFrom) {
      label.append(suffix(offset));
    }
    return label.toString();
  }

  /** How a label names the offset: {@code -0700}; with seconds where there are any. */
  private static String suffix(ZoneOffset offset) {
    return offset.getTotalSeconds() == 0 ? "+0000" : offset.getId().replace(":", "");
  }

  private static void twoDigits(StringBuilder text, long number) {
    text.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
  }

  private long index(long epochSecond, ZoneOffset at) {
    return Math.floorDiv(epochSecond + at.getTotalSeconds(), minutes * 60L);
  }
}
