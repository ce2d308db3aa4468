package dev.tidemark.workflows.closure;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tidemark.workflows.partition.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;

/**
 * The rule that says when a window's input is complete enough: {@code eligible(d, t) = t >= end(d)
 * + L} (A2). Completeness accepted by policy, not absolute completeness (A9).
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Closure.AfterDelay.class, name = "after-delay"),
  @JsonSubTypes.Type(value = Closure.AtWallTime.class, name = "at-wall-time")
})
public sealed interface Closure {

  /** The first instant at which the window counts as closed. */
  Instant closesAt(Window window, ZoneId zone);

  /** Whether the window is closed at {@code now}; the boundary itself is closed. */
  default boolean isClosed(Window window, ZoneId zone, Instant now) {
    return !now.isBefore(closesAt(window, zone));
  }

  /** Closed a fixed time after the window ends. */
  record AfterDelay(Duration delay) implements Closure {
    public AfterDelay {
      if (delay.isNegative()) {
        throw new IllegalArgumentException("closes-after must not be negative: " + delay);
      }
    }

    @Override
    public Instant closesAt(Window window, ZoneId zone) {
      return window.end().plus(delay);
    }
  }

  /**
   * Closed at a wall time on the day after the window, in the zone; for days and longer. A time
   * that does not exist on that day is the first that does after it.
   */
  record AtWallTime(LocalTime time) implements Closure {
    @Override
    public Instant closesAt(Window window, ZoneId zone) {
      throw new UnsupportedOperationException("owner: meaning");
    }
  }
}
