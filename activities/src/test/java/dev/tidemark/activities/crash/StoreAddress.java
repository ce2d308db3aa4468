package dev.tidemark.activities.crash;

import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.testing.S3Server;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which store the outputs go to, in words that another process understands.
 *
 * @param endpoint of the S3 server, null for a folder
 */
record StoreAddress(String location, @Nullable String bucket, @Nullable String endpoint) {
  static StoreAddress folder() {
    return new StoreAddress("out", null, null);
  }

  /** A bucket of the test's own S3 server. */
  static StoreAddress bucket(S3Server server, String name) {
    server.bucket(name).close();
    return new StoreAddress("connection:lake/exports", name, server.endpoint());
  }

  Opened open(Path baseFolder) {
    if (bucket == null || endpoint == null) {
      return new Opened(
          new ConfiguredStores(baseFolder, Connections.NONE, Clock.systemUTC()), null);
    }
    Bucket opened = S3Server.connection(bucket, endpoint, S3Server.SECRET_KEY);
    Connections connections = new Connections(Map.of(), Map.of("lake", opened));
    return new Opened(new ConfiguredStores(baseFolder, connections, Clock.systemUTC()), opened);
  }

  /** The stores of a process. */
  record Opened(ConfiguredStores stores, @Nullable Bucket bucket) implements AutoCloseable {
    OutputStore open(String location) {
      return stores.open(location);
    }

    @Override
    public void close() {
      if (bucket != null) {
        bucket.close();
      }
    }
  }
}
