package dev.tidemark.activities.connection;

import dev.tidemark.activities.account.AccountKey;
import dev.tidemark.activities.connection.Destinations.Destination;
import dev.tidemark.workflows.partition.Slice;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The named connections of a configuration, and its other secrets. Pools and clients are closed by
 * whoever assembles the process.
 *
 * @param databases by name
 * @param buckets by name
 * @param destinations of accounts, by name
 * @param accountKeys what accounts are hashed with in outputs, by the keys' checks
 */
public record Connections(
    Map<String, DataSource> databases,
    Map<String, Bucket> buckets,
    Map<String, Destinations> destinations,
    Map<String, AccountKey> accountKeys) {
  /** The connections that a pool has. */
  public static final int POOL_SIZE = 8;

  /**
   * How many tasks of a process have a connection of the same database: an export or a statement
   * may hold it for hours, and slices, detectors and destinations need one too.
   */
  public static final int TASKS_AT_ONCE = POOL_SIZE - 3;

  public static final Connections NONE = new Connections(Map.of());

  public Connections {
    databases = Map.copyOf(databases);
    buckets = Map.copyOf(buckets);
    destinations = Map.copyOf(destinations);
    accountKeys = Map.copyOf(accountKeys);
  }

  public Connections(
      Map<String, DataSource> databases,
      Map<String, Bucket> buckets,
      Map<String, Destinations> destinations) {
    this(databases, buckets, destinations, Map.of());
  }

  public Connections(Map<String, DataSource> databases, Map<String, Bucket> buckets) {
    this(databases, buckets, Map.of());
  }

  public Connections(Map<String, DataSource> databases) {
    this(databases, Map.of());
  }

  /**
   * The database of that name.
   *
   * @throws UnknownConnectionException naming the known ones
   */
  public DataSource database(String name) {
    return required(name, databases.get(name), "a database", databases);
  }

  /**
   * The bucket of that name.
   *
   * @throws UnknownConnectionException naming the known ones
   */
  public Bucket bucket(String name) {
    return required(name, buckets.get(name), "an object store", buckets);
  }

  /**
   * Where outputs on a connection go: its bucket, or that of an account of it.
   *
   * @param reference the connection's name, or {@code name:account} with the account as it is in
   *     paths
   * @throws UnknownConnectionException naming the known ones
   * @throws NoDestinationException if the account has none
   */
  public Destination destination(String reference) {
    int colon = reference.indexOf(':');
    if (colon < 0) {
      return new Destination(bucket(reference), "");
    }
    String name = reference.substring(0, colon);
    return required(
            name, destinations.get(name), "one with a bucket for each account", destinations)
        .of(Slice.parse("v=" + reference.substring(colon + 1)).values().getOrDefault("v", ""));
  }

  /**
   * The key with this check.
   *
   * @throws UnknownConnectionException if this process has another one, or none
   */
  public AccountKey accountKey(String check) {
    AccountKey key = accountKeys.get(check);
    if (key == null) {
      throw new UnknownConnectionException(
          "account-id: the registered definition hashes accounts with the key whose check is %s, and this process has %s; restart it with that key, or `tidemark apply` the new one, which moves the outputs"
              .formatted(check, accountKeys.isEmpty() ? "none" : accountKeys.keySet()));
    }
    return key;
  }

  private static <T> T required(String name, @Nullable T found, String what, Map<String, T> known) {
    if (found == null) {
      throw new UnknownConnectionException(
          "connection '%s' is not %s of the configuration that this process started with, which has %s; restart it with one that does"
              .formatted(name, what, known.isEmpty() ? "none" : known.keySet()));
    }
    return found;
  }
}
