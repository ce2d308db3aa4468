package dev.tidemark.activities.connection;

import java.util.Optional;

/**
 * A location in the bucket of a connection, {@code connection:name/prefix}, or of an account of it,
 * {@code connection:name:account/prefix}.
 *
 * @param connection its name, with the account where it has one
 * @param prefix without a slash at either end; empty for the whole bucket
 */
public record BucketLocation(String connection, String prefix) {
  private static final String SCHEME = "connection:";

  /** Empty where the location is a folder. */
  public static Optional<BucketLocation> of(String location) {
    if (!location.startsWith(SCHEME)) {
      return Optional.empty();
    }
    String rest = location.substring(SCHEME.length());
    int slash = rest.indexOf('/');
    String prefix = slash < 0 ? "" : rest.substring(slash + 1);
    return Optional.of(
        new BucketLocation(
            slash < 0 ? rest : rest.substring(0, slash),
            prefix.endsWith("/") ? prefix.substring(0, prefix.length() - 1) : prefix));
  }
}
