package dev.tidemark.activities.planning;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.planning.PartitionFacts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The input versions that the ledger holds. */
final class RecordedVersions {
  private final Map<Key, String> versions = new HashMap<>();

  RecordedVersions(List<PartitionFacts> facts) {
    for (PartitionFacts fact : facts) {
      String input = fact.versions().input();
      if (input != null) {
        versions.put(new Key(fact.window().label(), fact.slice()), input);
      }
    }
  }

  private record Key(String partition, Slice slice) {}

  /** Null where none was ever observed. */
  @Nullable String version(Window window, Slice slice) {
    return versions.get(new Key(window.label(), slice));
  }
}
