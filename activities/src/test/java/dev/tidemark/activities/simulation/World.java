package dev.tidemark.activities.simulation;

import dev.tidemark.activities.inputs.ChangeDetector;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The inputs as they really are: what a detector would find, if it were asked now. */
final class World implements ChangeDetector {
  private static final String ABSENT = "";

  private final long seed;
  private final Map<String, String> versions = new HashMap<>();
  private final Map<String, String> before = new HashMap<>();
  private final Map<String, List<Slice>> slices = new HashMap<>();
  private int changes;

  /** Nobody can tell the versions now. */
  boolean silent;

  World(long seed) {
    this.seed = seed;
  }

  /** The slices that a pipeline may ever have. */
  void slices(String pipeline, List<Slice> all) {
    slices.put(pipeline, List.copyOf(all));
  }

  /** The version of an input now; null if there is none. Most are there from the beginning. */
  @Nullable String version(String pipeline, Slice slice, Window window) {
    String version =
        versions.computeIfAbsent(
            key(pipeline, slice, window),
            key -> new Random(seed + key.hashCode()).nextInt(8) == 0 ? ABSENT : "first");
    return version.equals(ABSENT) ? null : version;
  }

  /** New data, sometimes the data of before again, rarely none. */
  void change(Random random, String pipeline, Slice slice, Window window) {
    String key = key(pipeline, slice, window);
    String now = version(pipeline, slice, window);
    String next =
        switch (random.nextInt(12)) {
          case 0 -> ABSENT;
          case 1, 2 -> before.getOrDefault(key, "first");
          default -> "change " + ++changes;
        };
    before.put(key, now == null ? ABSENT : now);
    versions.put(key, next);
  }

  /** New data, for certain. */
  void put(String pipeline, Slice slice, Window window) {
    versions.put(key(pipeline, slice, window), "change " + ++changes);
  }

  private static String key(String pipeline, Slice slice, Window window) {
    return pipeline + " " + slice.canonical() + " " + window.label();
  }

  @Override
  public void scan(Range range, Consumer<Found> found) throws IOException {
    if (silent) {
      throw new IOException("the source is silent");
    }
    Partitioning partitions = range.partitions();
    Instant first = partitions.first().start();
    Instant from = range.from().isBefore(first) ? first : range.from();
    for (Window window : partitions.windows(from, range.to())) {
      for (Slice slice :
          range.slice() == null
              ? slices.getOrDefault(range.pipeline(), List.of())
              : List.of(range.slice())) {
        String version = version(range.pipeline(), slice, window);
        if (version != null) {
          found.accept(new Found(window.label(), slice, version));
        }
      }
    }
  }
}
