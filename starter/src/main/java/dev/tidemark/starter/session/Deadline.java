package dev.tidemark.starter.session;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a command waits, measured by a clock that nobody sets: neither a change of the machine's
 * time nor a time given for a trial makes it longer.
 */
public final class Deadline {
  private final @Nullable Duration timeout;
  private final long began = System.nanoTime();

  private Deadline(@Nullable Duration timeout) {
    this.timeout = timeout;
  }

  /**
   * So long from now.
   *
   * @param timeout null for no bound
   */
  public static Deadline after(@Nullable Duration timeout) {
    return new Deadline(timeout);
  }

  public boolean isPast() {
    return timeout != null && System.nanoTime() - began > timeout.toNanos();
  }
}
