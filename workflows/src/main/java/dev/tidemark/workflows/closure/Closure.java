package dev.tidemark.workflows.closure;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

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

  /** The first instant at which the window counts as closed; never before its end. */
  Instant closesAt(Window window, ZoneId zone);

  /** A window that ends after this instant is not closed at {@code now}. */
  Instant latestEnd(Instant now);

  /** Whether the window is closed at {@code now}; the boundary itself is closed. */
  default boolean isClosed(Window window, ZoneId zone, Instant now) {
    return !now.isBefore(closesAt(window, zone));
  }

  /** The newest window of the partitioning that is closed at {@code now} (A3), or empty. */
  default Optional<Window> newestClosed(Partitioning partitions, Instant now) {
    Instant until = latestEnd(now);
    Instant end = partitions.endInstant();
    Window window =
        partitions.previous(
            partitions.containing(end != null && end.isBefore(until) ? end : until));
    // A wall time closes a window within a day after its end: this is at most two steps.
    while (partitions.contains(window) && !isClosed(window, partitions.zone(), now)) {
      window = partitions.previous(window);
    }
    return partitions.contains(window) ? Optional.of(window) : Optional.empty();
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

    @Override
    public Instant latestEnd(Instant now) {
      return now.minus(delay);
    }
  }

  /**
   * Closed at a wall time on the day after the window, in the zone; for days and longer. A time
   * that does not exist on that day is the first instant after it; of one that occurs twice, it is
   * the first.
   */
  record AtWallTime(LocalTime time) implements Closure {
    @Override
    public Instant closesAt(Window window, ZoneId zone) {
      LocalDateTime wall = window.end().atZone(zone).toLocalDate().atTime(time);
      ZoneOffsetTransition transition = zone.getRules().getTransition(wall);
      return transition != null && transition.isGap()
          ? transition.getInstant()
          : wall.atZone(zone).toInstant();
    }

    @Override
    public Instant latestEnd(Instant now) {
      return now;
    }
  }
}
