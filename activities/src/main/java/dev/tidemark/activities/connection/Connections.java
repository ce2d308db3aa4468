package dev.tidemark.activities.connection;

import java.util.Map;
import javax.sql.DataSource;

/**
 * The named connections of a configuration. Pools are made by whoever assembles the process.
 *
 * @param databases by name
 */
public record Connections(Map<String, DataSource> databases) {
  public static final Connections NONE = new Connections(Map.of());

  public Connections {
    databases = Map.copyOf(databases);
  }

  /**
   * The database of that name.
   *
   * @throws IllegalArgumentException naming the known ones
   */
  public DataSource database(String name) {
    DataSource found = databases.get(name);
    if (found == null) {
      throw new IllegalArgumentException(
          "connection '"
              + name
              + "' is not a database of the configuration; there are "
              + databases.keySet());
    }
    return found;
  }
}
