package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Period;
import java.util.List;

/**
 * How late data is integrated.
 *
 * @param lookback the distances, in windows, at which a newly closed window asks for an earlier one
 *     again; ascending, positive; empty for none. A lookback of n is 1..n
 * @param accept late data is accepted this far back, counted from the newest closed window
 * @param stateful a window needs its predecessor
 * @param frozen never late, never redone by a cascade
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Integration(
    List<Integer> lookback,
    Period accept,
    Strategy strategy,
    boolean stateful,
    boolean frozen,
    OnDefinitionChange onDefinitionChange) {
  /** The furthest lookback distance allowed. */
  public static final int MAX_LOOKBACK = 1000;

  public Integration {
    lookback = lookback.stream().distinct().sorted().toList();
    if (!lookback.isEmpty()
        && (lookback.get(0) < 1 || lookback.get(lookback.size() - 1) > MAX_LOOKBACK)) {
      throw new IllegalArgumentException(
          "lookback distances must be from 1 to " + MAX_LOOKBACK + ": " + lookback);
    }
  }

  /** Which goes first where late and current windows are both due (C3, C4, C5). */
  public enum Strategy {
    LATE_FIRST,
    CURRENT_FIRST,
    PARALLEL
  }

  /** What a changed definition does to what was made with the older one. */
  public enum OnDefinitionChange {
    ASK,
    RERUN,
    KEEP
  }
}
