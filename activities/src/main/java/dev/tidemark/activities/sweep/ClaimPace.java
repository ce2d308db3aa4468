package dev.tidemark.activities.sweep;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A claim that found many partitions is followed by the next one of its pipeline at a distance: a
 * busy lane then claims for all the slots that got free meanwhile, with one workflow task and one
 * transaction instead of several. Where few run at once, nothing waits.
 */
final class ClaimPace {
  private static final Duration DISTANCE = Duration.ofMillis(50);

  /** From so many partitions on, a claim has done enough for a while. */
  static final int MANY = 8;

  private final Map<String, Long> lastOfMany = new ConcurrentHashMap<>();
  private final long distance;

  ClaimPace() {
    this(DISTANCE);
  }

  ClaimPace(Duration distance) {
    this.distance = distance.toNanos();
  }

  /** Returns when it is time; an interrupt ends the waiting, not the claim. */
  void await(String pipeline) {
    Long last = lastOfMany.get(pipeline);
    long left = last == null ? 0 : last + distance - System.nanoTime();
    if (left > 0) {
      try {
        TimeUnit.NANOSECONDS.sleep(left);
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
      }
    }
  }

  void claimed(String pipeline, int partitions) {
    if (partitions >= MANY) {
      lastOfMany.put(pipeline, System.nanoTime());
    } else {
      lastOfMany.remove(pipeline);
    }
  }
}
