package dev.tidemark.activities.inputs;

import dev.tidemark.workflows.partition.Slice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What one scan of one input found, by partition. */
final class FoundVersions {
  /**
   * The version of an input that may be missing and is: it differs from any that is found later.
   */
  private static final String NONE = "none";

  private final boolean required;
  private final Map<String, List<ChangeDetector.Found>> byPartition = new HashMap<>();

  FoundVersions(boolean required) {
    this.required = required;
  }

  void add(ChangeDetector.Found found) {
    byPartition.computeIfAbsent(found.partition(), label -> new ArrayList<>(1)).add(found);
  }

  boolean ready(String partition, Slice slice) {
    return !required || matching(partition, slice).findAny().isPresent();
  }

  String version(String partition, Slice slice) {
    String version =
        matching(partition, slice)
            .map(ChangeDetector.Found::version)
            .sorted()
            .collect(Collectors.joining(","));
    return version.isEmpty() ? NONE : version;
  }

  /**
   * An input that does not tell slices apart, or only some dimensions, is the same for the rest.
   */
  private Stream<ChangeDetector.Found> matching(String partition, Slice slice) {
    return byPartition.getOrDefault(partition, List.of()).stream()
        .filter(found -> slice.values().entrySet().containsAll(found.slice().values().entrySet()));
  }
}
