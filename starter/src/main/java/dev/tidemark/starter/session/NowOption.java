package dev.tidemark.starter.session;

import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --now}: the logical time, for trials and tests. */
public final class NowOption {
  @Option(
      names = "--now",
      paramLabel = "INSTANT",
      description = "The logical time, such as 2026-08-04T01:00:00+03:00 (default: the time).")
  private @Nullable Instant now;

  /** The time given by hand, or null. */
  public @Nullable Instant given() {
    return now;
  }

  /** The time given by hand, or the clock's. */
  public Instant or(Clock clock) {
    return now == null ? clock.instant() : now;
  }
}
