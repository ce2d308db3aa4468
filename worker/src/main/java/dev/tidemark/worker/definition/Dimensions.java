package dev.tidemark.worker.definition;

import dev.tidemark.workflows.pipeline.SliceSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The slice dimensions of a pipeline.
 *
 * @param names sorted; not all of them unless {@code known}
 * @param known false where a query decides
 */
record Dimensions(Set<String> names, boolean known) {

  static Dimensions of(List<SliceSet> slices) {
    Set<String> names = new TreeSet<>();
    boolean known = true;
    for (SliceSet set : slices) {
      if (set instanceof SliceSet.Product product) {
        names.addAll(product.values().keySet());
      } else {
        known = false;
      }
    }
    return new Dimensions(names, known);
  }

  /** But for this one; null is none. */
  Dimensions without(@Nullable String name) {
    Set<String> others = new TreeSet<>(names);
    others.removeIf(other -> other.equals(name));
    return new Dimensions(others, known);
  }

  boolean has(String name) {
    return !known || names.contains(name);
  }

  /** What to say to someone who named another. */
  String list() {
    return names.isEmpty()
        ? "the pipeline has no slices"
        : "the dimensions are " + String.join(", ", names);
  }
}
