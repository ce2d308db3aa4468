package dev.tidemark.workflows.partition;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.tidemark.workflows.closure.Closure;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All partition arithmetic: how a zone's calendar is cut into windows of one grain between a start
 * and an optional end.
 *
 * @param every the grain
 * @param zone the zone whose calendar cuts the windows
 * @param start label, or date, of the first window; must be aligned to the grain
 * @param end label, or date, of the first window that is no longer part, or null for no end
 */
public record Partitioning(Grain every, ZoneId zone, String start, @Nullable String end) {

  /**
   * The window with this label, inside or outside [start, end). IllegalArgumentException if
   * malformed, of another grain, or not existing in the zone.
   */
  public Window parse(String label) {
    throw new UnsupportedOperationException("owner: meaning");
  }

  /** The window that contains the instant, inside or outside [start, end). */
  public Window containing(Instant instant) {
    throw new UnsupportedOperationException("owner: meaning");
  }

  /** The window that follows. */
  public Window next(Window window) {
    throw new UnsupportedOperationException("owner: meaning");
  }

  /** The window before. */
  public Window previous(Window window) {
    throw new UnsupportedOperationException("owner: meaning");
  }

  /**
   * The window {@code n} existing windows later (earlier if negative); d + 1 is by calendar, never
   * 24 h.
   */
  public Window plus(Window window, int n) {
    throw new UnsupportedOperationException("owner: meaning");
  }

  /** The first window. */
  @JsonIgnore
  public Window first() {
    throw new UnsupportedOperationException("owner: meaning");
  }

  /** The start of the first window that is no longer part, or null. */
  @JsonIgnore
  public @Nullable Instant endInstant() {
    throw new UnsupportedOperationException("owner: meaning");
  }

  /** Whether the window lies in [start, end). */
  public boolean contains(Window window) {
    throw new UnsupportedOperationException("owner: meaning");
  }

  /** The newest window in [start, end) that is closed at {@code now} (A3), or empty if none is. */
  public Optional<Window> newestClosed(Instant now, Closure closure) {
    throw new UnsupportedOperationException("owner: meaning");
  }

  /** The windows that start in [from, to), oldest first, clipped to [start, end). */
  public List<Window> windows(Instant from, Instant to) {
    throw new UnsupportedOperationException("owner: meaning");
  }
}
