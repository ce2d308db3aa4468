package dev.tidemark.activities.ledger.freshness;

import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How fresh a pipeline is (c-M5): a matter of each closed window, not of the newest run, so that a
 * backfill of an old day never makes it fresh, and neither does a publish that fails.
 */
public enum Freshness {
  /** There is no rule, or nothing has closed yet. */
  UNKNOWN,
  /** Every closed window is committed, or still has time. */
  FRESH,
  /** A window is not committed although {@code freshness.within} has passed since it closed. */
  STALE,
  /** It was stale, and no window has closed since that ended. */
  RECOVERED;

  /**
   * The newest window that must be committed by now: one that closed {@code freshness.within} ago
   * or earlier. Empty without a rule or such a window, and for so long after the pipeline was first
   * registered: its history had no chance before.
   *
   * @param registered when that was; null where it does not count, as for a time given by hand
   */
  public static Optional<Window> overdueThrough(
      PipelineDefinition definition, Instant now, @Nullable Instant registered) {
    Duration within = definition.pace().freshness();
    boolean isTooEarly =
        within == null || (registered != null && now.isBefore(registered.plus(within)));
    return isTooEarly ? Optional.empty() : definition.extent().closedThrough(now.minus(within));
  }

  /**
   * The state at {@code now}.
   *
   * @param overdue what {@link #overdueThrough} says
   * @param hole start of the oldest closed window that is neither committed nor passed over, or
   *     null
   * @param recovered when the newest breach that was noticed ended, or null
   */
  public static Freshness at(
      PipelineDefinition definition,
      Instant now,
      Optional<Window> overdue,
      @Nullable Instant hole,
      @Nullable Instant recovered) {
    Optional<Window> closed = definition.extent().closedThrough(now);
    if (definition.pace().freshness() == null || closed.isEmpty()) {
      return UNKNOWN;
    }
    if (hole != null && overdue.filter(window -> !window.start().isBefore(hole)).isPresent()) {
      return STALE;
    }
    Instant closedAt =
        definition
            .extent()
            .closure()
            .closesAt(closed.get(), definition.extent().partitions().zone());
    return recovered != null && !recovered.isBefore(closedAt) ? RECOVERED : FRESH;
  }

  /** As people and programs read it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
