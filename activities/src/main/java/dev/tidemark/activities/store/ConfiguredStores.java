package dev.tidemark.activities.store;

import java.nio.file.Path;
import java.time.Clock;

/** Folders, and the object stores of the configured connections. */
public final class ConfiguredStores implements Stores {
  private static final String CONNECTION = "connection:";

  private final Path baseFolder;
  private final Clock clock;

  /**
   * @param baseFolder what relative folders are relative to: the configuration's folder
   */
  public ConfiguredStores(Path baseFolder, Clock clock) {
    this.baseFolder = baseFolder;
    this.clock = clock;
  }

  @Override
  public OutputStore open(String location) {
    if (location.startsWith(CONNECTION)) {
      throw new IllegalArgumentException(
          "output.location '" + location + "' is not built yet; give a folder");
    }
    return new LocalStore(baseFolder.resolve(location), clock);
  }
}
