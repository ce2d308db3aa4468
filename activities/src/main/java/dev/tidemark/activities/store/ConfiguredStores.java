package dev.tidemark.activities.store;

import dev.tidemark.activities.account.AccountKey;
import dev.tidemark.activities.connection.BucketLocation;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.connection.Destinations.Destination;
import dev.tidemark.activities.connection.LastUsed;
import dev.tidemark.activities.store.s3.S3Conditions;
import dev.tidemark.activities.store.s3.S3Store;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Folders, and the object stores of the configured connections. */
public final class ConfiguredStores implements Stores {
  /** Known at once; of any other it is found out again. */
  private static final int MOST_BUCKETS = 10_000;

  private final Path baseFolder;
  private final Connections connections;
  private final Clock clock;

  /** By the bucket's address: an account may be moved to another store, which honours others. */
  private final LastUsed<String, S3Conditions> conditions = new LastUsed<>(MOST_BUCKETS);

  /**
   * @param baseFolder what relative folders are relative to: the configuration's folder
   */
  public ConfiguredStores(Path baseFolder, Connections connections, Clock clock) {
    this.baseFolder = baseFolder;
    this.connections = connections;
    this.clock = clock;
  }

  @Override
  public OutputStore open(String location) {
    Optional<BucketLocation> place = BucketLocation.of(location);
    if (place.isEmpty()) {
      return new LocalStore(baseFolder.resolve(location), clock);
    }
    Destination destination = connections.destination(place.get().connection());
    String prefix =
        Stream.of(destination.prefix(), place.get().prefix())
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("/"));
    return new S3Store(
        destination.bucket(),
        prefix,
        conditions.get(destination.bucket().address(), any -> new S3Conditions()),
        clock);
  }

  @Override
  public AccountKey accountKey(String check) {
    return connections.accountKey(check);
  }
}
