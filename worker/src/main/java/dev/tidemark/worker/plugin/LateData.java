package dev.tidemark.worker.plugin;

import dev.tidemark.worker.definition.Defaults;
import dev.tidemark.workflows.pipeline.Integration;
import java.time.Period;

/**
 * How late data is integrated (C3, C4, C5).
 *
 * @param accept how far back it is accepted, counted from the newest closed window
 * @param strategy which goes first where late and current windows are both due
 */
public record LateData(Period accept, Integration.Strategy strategy) {

  /** Accepted this far back, current windows first; see {@link #strategy(Integration.Strategy)}. */
  public static LateData accept(Period accept) {
    return new LateData(accept, Defaults.STRATEGY);
  }

  /** The same, with another strategy. */
  public LateData strategy(Integration.Strategy other) {
    return new LateData(accept, other);
  }
}
