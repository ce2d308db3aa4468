package dev.tidemark.starter.session;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** {@code --slice K=V}: dimensions that must be equal. */
public final class SliceOption {
  private static final String NAME = "--slice";

  @Option(
      names = NAME,
      paramLabel = "K=V",
      description = "A dimension of the slice and its value; once for each dimension.")
  private List<String> pairs = new ArrayList<>();

  /** Whether any dimension was given. */
  public boolean isGiven() {
    return !pairs.isEmpty();
  }

  /** The dimensions given: partitions of every slice that has these values; none means all. */
  public Slice filter(PipelineDefinition definition) {
    Slice slice = parse(definition);
    for (var entry : slice.values().entrySet()) {
      SortedSet<String> values = values(definition, entry.getKey());
      if (!isOpen(definition) && !values.contains(entry.getValue())) {
        throw CommandFailure.usage(
            NAME,
            "no slice of '"
                + definition.name()
                + "' has "
                + entry.getKey()
                + "="
                + entry.getValue()
                + "; the values are "
                + values);
      }
    }
    return slice;
  }

  /** One whole slice: every dimension of the pipeline must be given. */
  public Slice whole(PipelineDefinition definition) {
    Slice slice = parse(definition);
    SortedSet<String> missing = dimensions(definition);
    missing.removeAll(slice.values().keySet());
    if (!missing.isEmpty()) {
      throw CommandFailure.usage(
          NAME,
          "'"
              + definition.name()
              + "' has slices: give --slice K=V for each of "
              + missing
              + " too");
    }
    return slice;
  }

  private Slice parse(PipelineDefinition definition) {
    SortedMap<String, String> values = Pairs.parse(NAME, pairs);
    SortedSet<String> dimensions = dimensions(definition);
    for (String dimension : values.keySet()) {
      if (!isOpen(definition) && !dimensions.contains(dimension)) {
        throw CommandFailure.usage(
            NAME,
            "'"
                + definition.name()
                + "' has no dimension '"
                + dimension
                + "'; "
                + (dimensions.isEmpty() ? "it has no slices" : "it has " + dimensions));
      }
    }
    return Slice.of(new TreeMap<>(values));
  }

  /** Whether a query decides which slices there are, so that only the ledger can check them. */
  private static boolean isOpen(PipelineDefinition definition) {
    return definition.extent().slices().stream().anyMatch(SliceSet.Query.class::isInstance);
  }

  private static SortedSet<String> dimensions(PipelineDefinition definition) {
    SortedSet<String> dimensions = new TreeSet<>();
    for (SliceSet set : definition.extent().slices()) {
      if (set instanceof SliceSet.Product product) {
        dimensions.addAll(product.values().keySet());
      }
    }
    return dimensions;
  }

  private static SortedSet<String> values(PipelineDefinition definition, String dimension) {
    SortedSet<String> values = new TreeSet<>();
    for (SliceSet set : definition.extent().slices()) {
      if (set instanceof SliceSet.Product product) {
        values.addAll(product.values().getOrDefault(dimension, List.of()));
      }
    }
    return values;
  }
}
