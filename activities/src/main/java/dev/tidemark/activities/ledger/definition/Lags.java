package dev.tidemark.activities.ledger.definition;

import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Integration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How many windows lie between a window and the newest closed one, counted up to one more than the
 * furthest distance of a lookback that there can be (C1): it stays right when the distances change.
 * Starts of windows are worked out once, for all the windows that are asked about.
 */
public final class Lags {
  private static final int MOST = Integration.MAX_LOOKBACK + 1;

  private final Partitioning partitions;
  private final Window closed;
  private final @Nullable Instant[] starts = new @Nullable Instant[MOST];

  /**
   * @param closed the newest closed window
   */
  public Lags(Partitioning partitions, Window closed) {
    this.partitions = partitions;
    this.closed = closed;
  }

  /** Of the window with this start. */
  public int of(Instant start) {
    int least = 0;
    int most = MOST;
    while (least < most) {
      int middle = (least + most) / 2;
      if (start(middle).isAfter(start)) {
        least = middle + 1;
      } else {
        most = middle;
      }
    }
    return least;
  }

  private Instant start(int lag) {
    Instant start = starts[lag];
    if (start == null) {
      start = partitions.plus(closed, -lag).start();
      starts[lag] = start;
    }
    return start;
  }
}
