package dev.tidemark.activities.ledger;

import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.planning.ExpectedSlice;
import dev.tidemark.workflows.planning.ExpectedSlices;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Slices of one dimension, written down. */
public final class Slices {
  private Slices() {}

  public static SliceSet of(String dimension, String... values) {
    return between(null, null, dimension, values);
  }

  public static SliceSet since(String label, String dimension, String... values) {
    return between(label, null, dimension, values);
  }

  static SliceSet until(String label, String dimension, String... values) {
    return between(null, label, dimension, values);
  }

  private static SliceSet between(
      @Nullable String since, @Nullable String until, String dimension, String... values) {
    TreeMap<String, List<String>> line = new TreeMap<>();
    line.put(dimension, List.of(values));
    return new SliceSet.Product(line, since, until);
  }

  static List<ExpectedSlice> expand(PipelineDefinition definition) {
    return ExpectedSlices.ofProducts(
        definition.extent().partitions(),
        definition.extent().slices().stream().map(SliceSet.Product.class::cast).toList());
  }
}
