package dev.tidemark.activities.store.s3;

import dev.tidemark.activities.store.StoreException;
import java.nio.charset.StandardCharsets;

/**
 * The keys of a location: a bucket and a prefix in it.
 *
 * @param prefix empty, or ends with {@code /}
 */
record Keys(String bucket, String prefix) {
  private static final int MAX_BYTES = 1024;

  Keys {
    if (!prefix.isEmpty() && !prefix.endsWith("/")) {
      prefix += "/";
    }
    refuseSteps(prefix);
  }

  /**
   * The key of a name.
   *
   * @throws IllegalArgumentException if it could lead out of the location: some stores read a key
   *     as a path
   * @throws StoreException if it is longer than stores allow
   */
  String of(String name) throws StoreException {
    if (name.isEmpty() || name.startsWith("/") || name.endsWith("/") || name.contains("//")) {
      throw new IllegalArgumentException(
          "'" + name + "' is not a name: none of what is between its slashes may be empty");
    }
    refuseSteps(name);
    String key = prefix + name;
    int bytes = key.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      throw new StoreException(
          StoreException.Kind.REFUSED,
          address(name)
              + " has a key of "
              + bytes
              + " bytes, and S3 stores allow "
              + MAX_BYTES
              + ": make the location or the values of the slice shorter",
          null);
    }
    return key;
  }

  /** The key that a listing of a prefix of names starts with. */
  String ofPrefix(String names) {
    refuseSteps(names);
    return prefix + names;
  }

  /** The name of a key of this location. */
  String name(String key) {
    return key.substring(prefix.length());
  }

  String address(String name) {
    return "s3://" + bucket + "/" + prefix + name;
  }

  private void refuseSteps(String name) {
    for (String segment : name.split("/", -1)) {
      if (segment.equals(".") || segment.equals("..")) {
        throw new IllegalArgumentException("'" + name + "' leads out of s3://" + bucket);
      }
    }
  }
}
