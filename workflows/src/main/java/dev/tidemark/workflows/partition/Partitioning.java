package dev.tidemark.workflows.partition;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All partition arithmetic: how a zone's calendar is cut into windows of one grain between a start
 * and an optional end. Windows tile time without gap or overlap, in every zone (A1). Immutable.
 */
@JsonAutoDetect(fieldVisibility = Visibility.NONE, getterVisibility = Visibility.NONE)
@JsonIgnoreProperties(ignoreUnknown = true)
public final class Partitioning {
  /** More windows than this at once are refused: it is fifty years of quarter hours. */
  public static final int MAX_WINDOWS = 2_000_000;

  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");

  private final Grain every;
  private final ZoneId zone;
  private final String start;
  private final @Nullable String end;

  private final WindowCalendar calendar;
  private final Window first;
  private final @Nullable Instant endInstant;

  /**
   * A partitioning.
   *
   * @param every the grain
   * @param zone the zone whose calendar cuts the windows
   * @param start label of the first window, or the date that it begins with
   * @param end label of the first window that is no longer part, or the date that it begins with;
   *     null for no end
   * @throws IllegalArgumentException if start or end is malformed, not aligned to the grain or does
   *     not exist in the zone, or if end is not after start
   */
  @JsonCreator
  public Partitioning(
      @JsonProperty("every") Grain every,
      @JsonProperty("zone") ZoneId zone,
      @JsonProperty("start") String start,
      @JsonProperty("end") @Nullable String end) {
    this.every = every;
    this.zone = zone;
    this.start = start;
    this.end = end;
    this.calendar = every.calendar(zone);
    this.first = windowBeginningAt("start", start);
    this.endInstant = end == null ? null : windowBeginningAt("end", end).start();
    if (endInstant != null && !endInstant.isAfter(first.start())) {
      throw new IllegalArgumentException("end '" + end + "' must be after start '" + start + "'");
    }
  }

  /** The grain. */
  @JsonProperty
  public Grain every() {
    return every;
  }

  /** The zone whose calendar cuts the windows. */
  @JsonProperty
  public ZoneId zone() {
    return zone;
  }

  /** The start, as written. */
  @JsonProperty
  public String start() {
    return start;
  }

  /** The end, as written, or null. */
  @JsonProperty
  public @Nullable String end() {
    return end;
  }

  /**
   * The window with this label, inside or outside [start, end).
   *
   * @throws IllegalArgumentException if the label is malformed, of another grain, or does not exist
   *     in the zone
   */
  public Window parse(String label) {
    return calendar.parse(label);
  }

  /**
   * The window that a bound written by a person names: by its label, or by the date that it begins
   * with. For an hour, a date is its first hour.
   *
   * @param field what the message calls the bound
   * @throws IllegalArgumentException if there is no such window
   */
  public Window windowBeginningAt(String field, String text) {
    try {
      return DATE.matcher(text).matches()
          ? calendar.beginningWith(LocalDate.parse(text))
          : calendar.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          field + ": '" + text + "' does not exist in the calendar", e);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(field + ": " + e.getMessage(), e);
    }
  }

  /** The window that contains the instant, inside or outside [start, end). */
  public Window containing(Instant instant) {
    return calendar.containing(instant);
  }

  /** The window that follows. */
  public Window next(Window window) {
    return calendar.containing(window.end());
  }

  /** The window before. */
  public Window previous(Window window) {
    return calendar.containing(window.start().minusNanos(1));
  }

  /**
   * The window {@code n} existing windows later (earlier if negative); d + 1 is by calendar, never
   * 24 h.
   */
  public Window plus(Window window, int n) {
    return calendar.plus(window, n);
  }

  /** The first window. */
  public Window first() {
    return first;
  }

  /** The start of the first window that is no longer part, or null. */
  public @Nullable Instant endInstant() {
    return endInstant;
  }

  /** Whether the window lies in [start, end). */
  public boolean contains(Window window) {
    return !window.start().isBefore(first.start()) && !isEnded(window.start());
  }

  /**
   * The windows that start in [from, to), oldest first, clipped to [start, end).
   *
   * @throws IllegalArgumentException if there are more than {@link #MAX_WINDOWS}
   */
  public List<Window> windows(Instant from, Instant to) {
    List<Window> windows = new ArrayList<>();
    Window window = from.isAfter(first.start()) ? calendar.containing(from) : first;
    if (window.start().isBefore(from)) {
      window = next(window);
    }
    while (window.start().isBefore(to) && !isEnded(window.start())) {
      if (windows.size() == MAX_WINDOWS) {
        throw new IllegalArgumentException(
            "there must be at most %d windows from %s to %s"
                .formatted(MAX_WINDOWS, windows.get(0).label(), to));
      }
      windows.add(window);
      window = next(window);
    }
    return windows;
  }

  private boolean isEnded(Instant instant) {
    return endInstant != null && !instant.isBefore(endInstant);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Partitioning that
        && every == that.every
        && zone.equals(that.zone)
        && start.equals(that.start)
        && Objects.equals(end, that.end);
  }

  @Override
  public int hashCode() {
    return Objects.hash(every, zone, start, end);
  }

  @Override
  public String toString() {
    return "every "
        + every.code()
        + " in "
        + zone
        + " from "
        + start
        + (end == null ? "" : " to " + end);
  }
}
