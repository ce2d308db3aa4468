package dev.tidemark.worker.definition;

import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes a partitioning from what people wrote, and tells start from end where one is refused. */
public final class Partitions {
  private Partitions() {}

  /** The partitioning, or empty where it breaks a rule, which {@code violations} is then told. */
  public static Optional<Partitioning> of(
      Grain grain,
      ZoneId zone,
      String start,
      @Nullable String end,
      Consumer<Violation> violations) {
    Optional<Partitioning> open = from("partitions.start", grain, zone, start, violations);
    if (end == null) {
      return open;
    }
    Optional<Partitioning> beyond = from("partitions.end", grain, zone, end, violations);
    if (open.isEmpty() || beyond.isEmpty()) {
      return Optional.empty();
    }
    if (!open.get().first().start().isBefore(beyond.get().first().start())) {
      violations.accept(
          new Violation(
              "partitions.end",
              "'"
                  + end
                  + "' must be later than start '"
                  + start
                  + "'; it is the first window that is no longer part"));
      return Optional.empty();
    }
    return Optional.of(new Partitioning(grain, zone, start, end));
  }

  /** The partitioning that begins at the label or date and does not end. */
  static Optional<Partitioning> from(
      String key, Grain grain, ZoneId zone, String label, Consumer<Violation> violations) {
    try {
      return Optional.of(new Partitioning(grain, zone, label, null));
    } catch (IllegalArgumentException refused) {
      violations.accept(
          new Violation(key, String.valueOf(refused.getMessage()).replaceFirst("^start: ", "")));
      return Optional.empty();
    }
  }
}
