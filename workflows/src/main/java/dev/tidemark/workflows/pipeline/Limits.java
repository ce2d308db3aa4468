package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Bounds of one sweep ({@code partitions}, {@code duration}, {@code perAccount}, {@code volume})
 * and of what runs at once ({@code parallel}, {@code perAccountParallel}). They cut work into
 * cycles and never change the result (A31, A32).
 *
 * @param backfillSharePercent the share of {@code parallel} that backfills may hold while live work
 *     waits, 0 to 100
 * @param volume null for no bound, also in what was registered before there was one
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Limits(
    int partitions,
    Duration duration,
    int parallel,
    @Nullable Integer perAccount,
    @Nullable Integer perAccountParallel,
    int backfillSharePercent,
    @Nullable Volume volume) {
  /** More at once would be near Temporal's limit of pending activities. */
  public static final int MAX_PARALLEL = 500;

  public static final Limits DEFAULT = new Limits(1000, Duration.ofMinutes(10), 20, null, null, 50);

  /**
   * How much one sweep may commit: it claims no more once it has committed as much. What runs by
   * then is not known, and goes on: it commits more by at most what runs at once.
   *
   * @param files of its outputs, null for no bound
   * @param bytes of its outputs, null for no bound
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Volume(@Nullable Integer files, @Nullable Long bytes) {
    public Volume {
      if (files != null && files < 1) {
        throw new IllegalArgumentException("limits.files must be at least 1: " + files);
      }
      if (bytes != null && bytes < 1) {
        throw new IllegalArgumentException("limits.bytes must be at least 1: " + bytes);
      }
    }

    /** Whether so much reaches a bound. */
    public boolean isReachedBy(long committedFiles, long committedBytes) {
      return (files != null && committedFiles >= files)
          || (bytes != null && committedBytes >= bytes);
    }
  }

  /** Without a bound of the volume. */
  public Limits(
      int partitions,
      Duration duration,
      int parallel,
      @Nullable Integer perAccount,
      @Nullable Integer perAccountParallel,
      int backfillSharePercent) {
    this(
        partitions, duration, parallel, perAccount, perAccountParallel, backfillSharePercent, null);
  }

  public Limits {
    atLeast("limits.partitions", partitions, 1);
    atLeast("limits.parallel", parallel, 1);
    if (parallel > MAX_PARALLEL) {
      throw new IllegalArgumentException(
          "limits.parallel must be at most " + MAX_PARALLEL + ": " + parallel);
    }
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException("limits.duration must be positive: " + duration);
    }
    if (perAccount != null) {
      atLeast("limits.per-account", perAccount, 1);
    }
    if (perAccountParallel != null) {
      atLeast("limits.per-account-parallel", perAccountParallel, 1);
    }
    if (backfillSharePercent < 0 || backfillSharePercent > 100) {
      throw new IllegalArgumentException(
          "limits.backfill-share must be from 0% to 100%: " + backfillSharePercent + "%");
    }
  }

  /** How many of {@code parallel} live work gets before backfills do, where both wait. */
  public int liveShare() {
    return ((100 - backfillSharePercent) * parallel + 99) / 100;
  }

  private static void atLeast(String field, int value, int least) {
    if (value < least) {
      throw new IllegalArgumentException(field + " must be at least " + least + ": " + value);
    }
  }
}
