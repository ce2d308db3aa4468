package dev.tidemark.activities.connection;

import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The named connections of a configuration. Pools and clients are closed by whoever assembles the
 * process.
 *
 * @param databases by name
 * @param buckets by name
 */
public record Connections(Map<String, DataSource> databases, Map<String, Bucket> buckets) {
  public static final Connections NONE = new Connections(Map.of());

  public Connections {
    databases = Map.copyOf(databases);
    buckets = Map.copyOf(buckets);
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

  private static <T> T required(String name, @Nullable T found, String what, Map<String, T> known) {
    if (found == null) {
      throw new UnknownConnectionException(
          "connection '%s' is not %s of the configuration that this process started with, which has %s; restart it with one that does"
              .formatted(name, what, known.isEmpty() ? "none" : known.keySet()));
    }
    return found;
  }
}
