package dev.tidemark.activities.publish;

import dev.tidemark.activities.placeholder.Template;
import dev.tidemark.workflows.partition.Slice;
import java.util.Map;

/**
 * Where a slice's outputs are: a location may name the slice, {@code
 * connection:lake-{slice.unit}/exports}, so that each account has a bucket with credentials of its
 * own (B40).
 */
public final class OutputLocation {
  private static final String PREFIX = "slice.";

  private OutputLocation() {}

  /**
   * The location with its placeholders filled in.
   *
   * @throws IllegalArgumentException if it names a dimension that the slice does not have
   */
  public static String of(String location, Slice slice) {
    return Template.parse(location)
        .fill(
            placeholder -> {
              String key = placeholder.key();
              boolean known = key != null && placeholder.name().startsWith(PREFIX);
              String value = known ? slice.values().get(key) : null;
              return value == null ? null : encode(value);
            });
  }

  /** As a slice's canonical text has it, so that one value has one spelling in every path. */
  static String encode(String value) {
    return Slice.of(Map.of("v", value)).canonical().substring("v=".length());
  }
}
