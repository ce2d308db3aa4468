package dev.tidemark.workflows.partition;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Map;
import java.util.SortedMap;

/**
 * The non-time coordinates of a partition: dimension names and values. Empty for most pipelines.
 * Its canonical text is {@code category=rain/unit=istanbul}: dimensions sorted, values
 * percent-encoded; empty text for the empty slice.
 */
public record Slice(SortedMap<String, String> values) implements Comparable<Slice> {
  /** The slice of a pipeline without slices. */
  public static final Slice EMPTY = of(Map.of());

  @JsonCreator
  public static Slice of(Map<String, String> values) {
    return new Slice(java.util.Collections.unmodifiableSortedMap(new java.util.TreeMap<>(values)));
  }

  /** The slice whose {@link #canonical()} text this is. */
  public static Slice parse(String canonical) {
    throw new UnsupportedOperationException("owner: meaning");
  }

  /** The canonical text, which is also the path of the slice in a hive layout. */
  public String canonical() {
    throw new UnsupportedOperationException("owner: meaning");
  }

  @Override
  @JsonValue
  public SortedMap<String, String> values() {
    return values;
  }

  @Override
  public int compareTo(Slice other) {
    return canonical().compareTo(other.canonical());
  }
}
