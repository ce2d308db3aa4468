package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Facts by partition. Looked up, never walked: its order means nothing. */
final class FactsIndex {
  private final Map<Slice, Map<Instant, PartitionFacts>> bySlice = new HashMap<>();

  static FactsIndex of(List<PartitionFacts> facts) {
    FactsIndex index = new FactsIndex();
    for (PartitionFacts one : facts) {
      index
          .bySlice
          .computeIfAbsent(one.slice(), slice -> new HashMap<>())
          .put(one.window().start(), one);
    }
    return index;
  }

  @Nullable PartitionFacts get(Window window, Slice slice) {
    return bySlice.getOrDefault(slice, Map.of()).get(window.start());
  }

  private FactsIndex() {}
}
