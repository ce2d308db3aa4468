package dev.tidemark.activities.ledger;

import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Slices of one dimension, written down. */
final class Slices {
  private Slices() {}

  static SliceSet of(String dimension, String... values) {
    return new SliceSet.Product(new TreeMap<>(Map.of(dimension, List.of(values))), null);
  }

  static SliceSet since(String label, String dimension, String... values) {
    return new SliceSet.Product(new TreeMap<>(Map.of(dimension, List.of(values))), label);
  }

  static List<ExpectedSlice> expand(PipelineDefinition definition) {
    Partitioning partitions = definition.extent().partitions();
    List<ExpectedSlice> slices = new ArrayList<>();
    for (SliceSet set : definition.extent().slices()) {
      SliceSet.Product product = (SliceSet.Product) set;
      String label = product.since();
      Window since = label == null ? partitions.first() : partitions.parse(label);
      product
          .values()
          .forEach(
              (dimension, values) ->
                  values.forEach(
                      value ->
                          slices.add(
                              new ExpectedSlice(Slice.of(Map.of(dimension, value)), since))));
    }
    return slices;
  }
}
