package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the slices that a definition expects (A17, A20, A21). Pure. */
public final class ExpectedSlices {
  /** More slices than this in one pipeline are refused. */
  public static final int MAX_SLICES = 100_000;

  /** What a pipeline without slices expects: the empty slice, from the start on. */
  public static List<ExpectedSlice> none(Partitioning partitions) {
    return List.of(new ExpectedSlice(Slice.EMPTY, partitions.first()));
  }

  /**
   * One slice, as a row of a query gives it.
   *
   * @param since label or date of the first window that has it; null for the pipeline's start
   * @param until label or date of the first window that has it no more; null for no end
   * @throws IllegalArgumentException if the values make no slice, or since or until is no window
   */
  public static ExpectedSlice of(
      Partitioning partitions,
      Map<String, String> values,
      @Nullable String since,
      @Nullable String until) {
    return new ExpectedSlice(
        Slice.of(values), sinceOf(partitions, since), untilOf(partitions, until));
  }

  /**
   * Every combination of the values of each product.
   *
   * @return merged, as by {@link #merge}
   * @throws IllegalArgumentException if a dimension has no value, since or until is no window,
   *     there are too many slices, or they do not all have the same dimensions
   */
  public static List<ExpectedSlice> ofProducts(
      Partitioning partitions, Collection<SliceSet.Product> products) {
    List<ExpectedSlice> slices = new ArrayList<>();
    for (SliceSet.Product product : products) {
      Window since = sinceOf(partitions, product.since());
      Window until = untilOf(partitions, product.until());
      for (Slice slice : combinations(product, MAX_SLICES - slices.size())) {
        slices.add(new ExpectedSlice(slice, since, until));
      }
    }
    return merge(slices);
  }

  /**
   * Sorted by slice, each once, from the earliest window that any line gives it to the latest.
   *
   * @throws IllegalArgumentException if there are too many slices, they do not all have the same
   *     dimensions, or two lines of one slice leave windows between them
   */
  public static List<ExpectedSlice> merge(Collection<ExpectedSlice> slices) {
    TreeMap<Slice, ExpectedSlice> merged = new TreeMap<>();
    for (ExpectedSlice slice :
        slices.stream().sorted(Comparator.comparing(ExpectedSlice::since)).toList()) {
      if (!merged.isEmpty()) {
        requireSameDimensions(merged.firstKey(), slice.slice());
      }
      merged.merge(slice.slice(), slice, ExpectedSlices::joined);
    }
    if (merged.size() > MAX_SLICES) {
      throw tooMany();
    }
    return List.copyOf(merged.values());
  }

  private static Window sinceOf(Partitioning partitions, @Nullable String since) {
    Window first = partitions.first();
    if (since == null) {
      return first;
    }
    Window window = partitions.windowBeginningAt("since", since);
    return window.compareTo(first) < 0 ? first : window;
  }

  private static @Nullable Window untilOf(Partitioning partitions, @Nullable String until) {
    return until == null ? null : partitions.windowBeginningAt("until", until);
  }

  private static List<Slice> combinations(SliceSet.Product product, int atMost) {
    List<Map<String, String>> combinations = List.of(Map.of());
    for (Map.Entry<String, List<String>> dimension : product.values().entrySet()) {
      if (dimension.getValue().isEmpty()) {
        throw new IllegalArgumentException(
            "slices: dimension '" + dimension.getKey() + "' has no value");
      }
      if ((long) combinations.size() * dimension.getValue().size() > atMost) {
        throw tooMany();
      }
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> combination : combinations) {
        for (String value : dimension.getValue()) {
          Map<String, String> values = new TreeMap<>(combination);
          values.put(dimension.getKey(), value);
          longer.add(values);
        }
      }
      combinations = longer;
    }
    return combinations.stream().map(Slice::of).toList();
  }

  private static ExpectedSlice joined(ExpectedSlice earlier, ExpectedSlice later) {
    Window end = earlier.until();
    Window laterEnd = later.until();
    if (end != null && end.compareTo(later.since()) < 0) {
      throw new IllegalArgumentException(
          "slices: '%s' ends before %s and is there again since %s; a slice is one stretch of windows, so join the two, or excuse what lies between"
              .formatted(earlier.slice(), end.label(), later.since().label()));
    }
    boolean laterEndsLast = end != null && (laterEnd == null || laterEnd.compareTo(end) > 0);
    return laterEndsLast ? new ExpectedSlice(earlier.slice(), earlier.since(), laterEnd) : earlier;
  }

  private static void requireSameDimensions(Slice one, Slice other) {
    Set<String> dimensions = one.values().keySet();
    if (!dimensions.equals(other.values().keySet())) {
      throw new IllegalArgumentException(
          "slices must all have the same dimensions: '%s' has %s, '%s' has %s"
              .formatted(one, dimensions, other, other.values().keySet()));
    }
  }

  private static IllegalArgumentException tooMany() {
    return new IllegalArgumentException("slices must be at most " + MAX_SLICES);
  }

  private ExpectedSlices() {}
}
