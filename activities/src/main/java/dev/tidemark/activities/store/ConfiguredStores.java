package dev.tidemark.activities.store;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.store.s3.S3Conditions;
import dev.tidemark.activities.store.s3.S3Store;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Folders, and the object stores of the configured connections. */
public final class ConfiguredStores implements Stores {
  private static final String CONNECTION = "connection:";

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
    if (!location.startsWith(CONNECTION)) {
      return new LocalStore(baseFolder.resolve(location), clock);
    }
    String rest = location.substring(CONNECTION.length());
    int slash = rest.indexOf('/');
    String name = slash < 0 ? rest : rest.substring(0, slash);
    String prefix = slash < 0 ? "" : rest.substring(slash + 1);
    return new S3Store(
        connections.bucket(name),
        prefix,
        conditions.computeIfAbsent(name, any -> new S3Conditions()),
        clock);
  }
}
