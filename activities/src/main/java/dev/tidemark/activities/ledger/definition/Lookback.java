package dev.tidemark.activities.ledger.definition;

import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lookback rule (C1) as bounds on window starts, so that an index can answer it. A committed
 * window w, claimed when the newest closed window was {@code lag} windows later, is due iff for a
 * distance k greater than lag the window w + k is closed, and newer than the floor.
 *
 * @param distances the distances k, ascending
 * @param newest for each distance, start of the newest window that it reaches
 * @param after for each distance, start of the newest window that is before the floor
 * @param lags every lag that may have something to come: 0 up to the furthest distance
 * @param upTo for each lag, start of the newest window that may be due
 */
public record Lookback(
    List<Integer> distances,
    List<Instant> newest,
    List<Instant> after,
    List<Integer> lags,
    List<Instant> upTo) {
  public static final Lookback NONE =
      new Lookback(List.of(), List.of(), List.of(), List.of(), List.of());

  /** The bounds at a closed window; the floor is null where the pipeline had no other lookback. */
  public static Lookback at(
      Partitioning partitions, List<Integer> distances, Window closed, @Nullable Instant floor) {
    List<Instant> newest = new ArrayList<>();
    List<Instant> after = new ArrayList<>();
    List<Integer> lags = new ArrayList<>();
    List<Instant> upTo = new ArrayList<>();
    for (int distance : distances) {
      Instant reached = partitions.plus(closed, -distance).start();
      newest.add(reached);
      after.add(
          floor == null
              ? Instant.MIN
              : partitions.plus(partitions.containing(floor), -distance).start());
      for (int lag = lags.size(); lag < distance; lag++) {
        lags.add(lag);
        upTo.add(reached);
      }
    }
    return new Lookback(distances, newest, after, lags, upTo);
  }

  /** Start of the newest window that no distance reaches: what is older is never due. */
  public Instant oldest() {
    return after.isEmpty() ? Instant.MIN : after.get(after.size() - 1);
  }
}
