package dev.tidemark.worker.plugin;

import dev.tidemark.workflows.pipeline.Integration;
import java.time.Period;
import org.jspecify.annotations.Nullable;

/**
 * How late data is integrated (C3, C4, C5).
 *
 * @param accept how far back it is accepted, counted from the newest closed window
 * @param strategy which goes first where late and current windows are both due; null for current
 *     windows, in a stateful pipeline late ones
 */
public record LateData(Period accept, Integration.@Nullable Strategy strategy) {

  /** Accepted this far back; see {@link #strategy(Integration.Strategy)}. */
  public static LateData accept(Period accept) {
    return new LateData(accept, null);
  }

  /** The same, with another strategy. */
  public LateData strategy(Integration.Strategy other) {
    return new LateData(accept, other);
  }
}
