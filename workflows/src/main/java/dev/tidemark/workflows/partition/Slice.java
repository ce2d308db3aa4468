package dev.tidemark.workflows.partition;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The non-time coordinates of a partition (A16): dimension names and values. Empty for most
 * pipelines. Its canonical text is {@code category=rain/unit=istanbul}: dimensions sorted, values
 * percent-encoded; empty text for the empty slice. Order and equality are those of the canonical
 * text, which is ASCII. Immutable.
 */
public final class Slice implements Comparable<Slice> {
  private static final Pattern DIMENSION = Pattern.compile("[a-z][a-z0-9_]*");

  /** The slice of a pipeline without slices. */
  public static final Slice EMPTY = of(Map.of());

  private final SortedMap<String, String> values;
  private final String canonical;

  private Slice(SortedMap<String, String> values) {
    this.values = values;
    StringBuilder text = new StringBuilder();
    values.forEach(
        (dimension, value) ->
            text.append(text.isEmpty() ? "" : "/")
                .append(dimension)
                .append('=')
                .append(SliceText.encode(value)));
    this.canonical = text.toString();
  }

  /**
   * The slice with these values; any text may be one.
   *
   * @throws IllegalArgumentException if a dimension's name is not made of lower-case letters,
   *     digits and underscores, or if a value is not well-formed Unicode
   */
  @JsonCreator
  public static Slice of(Map<String, String> values) {
    values.forEach(Slice::check);
    return new Slice(Collections.unmodifiableSortedMap(new TreeMap<>(values)));
  }

  /**
   * The slice whose {@link #canonical()} text this is.
   *
   * @throws IllegalArgumentException if it is not the canonical text of any slice
   */
  public static Slice parse(String canonical) {
    SortedMap<String, String> values = new TreeMap<>();
    for (String part : canonical.isEmpty() ? new String[0] : canonical.split("/", -1)) {
      int equals = part.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException(
            "slice '" + canonical + "': '" + part + "' must be like unit=istanbul");
      }
      values.put(part.substring(0, equals), SliceText.decode(part.substring(equals + 1)));
    }
    Slice slice = of(values);
    if (!slice.canonical.equals(canonical)) {
      throw new IllegalArgumentException(
          "slice '" + canonical + "' must be written as '" + slice.canonical + "'");
    }
    return slice;
  }

  /** The canonical text, which is also the path of the slice in a hive layout. */
  public String canonical() {
    return canonical;
  }

  /** Dimension name to value, sorted by name, unmodifiable. */
  @JsonValue
  public SortedMap<String, String> values() {
    return values;
  }

  /** Whether the dimensions that both have are equal. */
  public boolean agreesWith(Slice other) {
    return values().entrySet().stream()
        .allMatch(
            dimension ->
                dimension
                    .getValue()
                    .equals(other.values().getOrDefault(dimension.getKey(), dimension.getValue())));
  }

  @Override
  public int compareTo(Slice other) {
    return canonical.compareTo(other.canonical);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Slice that && canonical.equals(that.canonical);
  }

  @Override
  public int hashCode() {
    return canonical.hashCode();
  }

  @Override
  public String toString() {
    return canonical;
  }

  private static void check(String dimension, String value) {
    if (!DIMENSION.matcher(dimension).matches()) {
      throw new IllegalArgumentException(
          "slice dimension '" + dimension + "' must match " + DIMENSION.pattern());
    }
    if (!SliceText.isWellFormed(value)) {
      throw new IllegalArgumentException(
          "the value of slice dimension '" + dimension + "' must be well-formed Unicode");
    }
  }
}
