package dev.tidemark.worker.process;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline's schedule as it is in Temporal.
 *
 * @param kind schedule or cron
 * @param spec the interval as ISO-8601, or the cron expression
 * @param next the next time it fires; null where it is paused or not known
 */
public record ScheduleView(
    String pipeline, Kind kind, String spec, boolean paused, @Nullable Instant next) {

  /** What wakes the pipeline. */
  public enum Kind {
    SCHEDULE,
    CRON
  }
}
