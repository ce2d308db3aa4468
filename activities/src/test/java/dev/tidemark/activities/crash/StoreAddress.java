package dev.tidemark.activities.crash;

import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.store.OutputStore;
import dev.tidemark.activities.store.Stores;
import java.nio.file.Path;
import java.time.Clock;

/** Which store the outputs go to, in words that another process understands. */
record StoreAddress(String location) {
  static StoreAddress folder() {
    return new StoreAddress("out");
  }

  Opened open(Path baseFolder) {
    return new Opened(new ConfiguredStores(baseFolder, Clock.systemUTC()));
  }

  /** The stores of a process. */
  record Opened(Stores stores) implements AutoCloseable {
    OutputStore open(String location) {
      return stores.open(location);
    }

    @Override
    public void close() {}
  }
}
