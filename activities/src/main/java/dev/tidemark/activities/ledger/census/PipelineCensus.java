package dev.tidemark.activities.ledger.census;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.freshness.Freshness;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One pipeline in numbers.
 *
 * @param states partitions by state, closed ones without a row among {@code never_attempted}; the
 *     seven states, with {@code parked} apart from {@code failed}
 * @param alerts open ones, by the label of their rule
 * @param sweepAge how long ago the newest sweep began; null before the first
 */
public record PipelineCensus(
    RegisteredPipeline pipeline,
    Map<String, Integer> states,
    Backlog backlog,
    Freshness freshness,
    Map<String, Integer> alerts,
    @Nullable Duration sweepAge) {
  public PipelineCensus {
    states = Map.copyOf(states);
    alerts = Map.copyOf(alerts);
  }

  /**
   * What is to be done.
   *
   * @param due claimable now; counted up to {@value Census#MOST_DUE}
   * @param late committed, and the input has another version by now
   * @param overdue closed so long ago that it breaches {@code freshness.within}
   * @param hole for how long the oldest hole has been closed; zero without one
   */
  public record Backlog(int due, int late, int overdue, Duration hole) {}
}
