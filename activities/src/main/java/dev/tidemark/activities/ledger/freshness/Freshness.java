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
   * or earlier. Empty without a rule or such a window.
   */
  public static Optional<Window> overdueThrough(PipelineDefinition definition, Instant now) {
    Duration within = definition.pace().freshness();
    return within == null ? Optional.empty() : definition.extent().closedThrough(now.minus(within));
  }

  /**
   * The state at {@code now}.
   *
   * @param hole start of the oldest closed window that is neither committed nor passed over, or
   *     null
   * @param recovered when the newest breach that was noticed ended, or null
   */
  public static Freshness at(
      PipelineDefinition definition,
      Instant now,
      @Nullable Instant hole,
      @Nullable Instant recovered) {
    Optional<Window> closed = definition.extent().closedThrough(now);
    if (definition.pace().freshness() == null || closed.isEmpty()) {
      return UNKNOWN;
    }
    boolean overdue =
        hole != null
            && overdueThrough(definition, now)
                .filter(window -> !window.start().isBefore(hole))
                .isPresent();
    if (overdue) {
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
