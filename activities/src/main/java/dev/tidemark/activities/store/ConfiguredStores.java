package dev.tidemark.activities.store;

import dev.tidemark.activities.connection.BucketLocation;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.connection.Destinations.Destination;
import dev.tidemark.activities.store.s3.S3Conditions;
import dev.tidemark.activities.store.s3.S3Store;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Folders, and the object stores of the configured connections. */
public final class ConfiguredStores implements Stores {
  private final Path baseFolder;
  private final Connections connections;
  private final Clock clock;

  /** What each connection's store honours, by the connection's name. */
  private final Map<String, S3Conditions> conditions = new ConcurrentHashMap<>();

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
    String name = place.get().connection();
    Destination destination = connections.destination(name);
    String prefix =
        Stream.of(destination.prefix(), place.get().prefix())
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("/"));
    return new S3Store(
        destination.bucket(),
        prefix,
        conditions.computeIfAbsent(name, any -> new S3Conditions()),
        clock);
  }
}
