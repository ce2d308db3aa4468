package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Static lookback (C1): a committed window w is due again iff, for a distance k, the window w + k
 * is closed, was not yet closed when w was claimed, and is newer than the floor. Being derived from
 * what was committed, it is the union of all windows' lookbacks (C9), each done once.
 */
final class LookbackRule {
  private final Partitioning partitions;
  private final List<Integer> distances;
  private final List<Instant> reached;
  private final @Nullable Instant floor;

  LookbackRule(
      Partitioning partitions, List<Integer> distances, Window closed, @Nullable Instant floor) {
    this.partitions = partitions;
    this.distances = distances;
    this.reached = distances.stream().map(k -> partitions.plus(closed, -k).start()).toList();
    this.floor = floor;
  }

  /**
   * Whether the window is due.
   *
   * @param closedThrough start of the newest closed window when it was claimed
   */
  boolean asksFor(Window window, Instant closedThrough) {
    // The furthest distance whose window is closed decides: the nearer ones reach less far.
    for (int i = distances.size() - 1; i >= 0; i--) {
      if (!window.start().isAfter(reached.get(i))) {
        Instant asking = partitions.plus(window, distances.get(i)).start();
        return asking.isAfter(closedThrough) && (floor == null || asking.isAfter(floor));
      }
    }
    return false;
  }
}
