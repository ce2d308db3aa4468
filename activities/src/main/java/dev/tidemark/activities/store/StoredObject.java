package dev.tidemark.activities.store;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/**
 * An object that a walk came by.
 *
 * @param name relative to the store's location
 * @param isLink whether it is one to somewhere else, where a store has such
 */
public record StoredObject(String name, long bytes, boolean isLink) {
  /** The order of a walk: that of the bytes of whole names. */
  public static final Comparator<String> BYTE_ORDER =
      (a, b) ->
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  public StoredObject(String name, long bytes) {
    this(name, bytes, false);
  }

  /** The name after the last slash. */
  public String base() {
    return name.substring(name.lastIndexOf('/') + 1);
  }
}
