package dev.tidemark.worker.process;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tidemark.activities.account.AccountKey;
import dev.tidemark.activities.connection.Bucket;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.connection.Destinations;
import dev.tidemark.worker.configuration.ConnectionSettings;
import dev.tidemark.worker.metrics.Metrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * The pools and clients of the connections of a configuration. Each is opened by its first use, and
 * bounded.
 */
public final class ConnectionPools implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

  private final List<HikariDataSource> pools;
  private final Connections connections;

  private ConnectionPools(List<HikariDataSource> pools, Connections connections) {
    this.pools = pools;
    this.connections = connections;
  }

  /** The same, where nobody counts what the pools do. */
  public static ConnectionPools of(Map<String, ConnectionSettings> settings) {
    return of(settings, Metrics.none());
  }

  /** Prepares a pool for each database and a client for each bucket; connects to none. */
  public static ConnectionPools of(Map<String, ConnectionSettings> settings, Metrics metrics) {
    List<HikariDataSource> pools = new ArrayList<>();
    Map<String, DataSource> databases = new LinkedHashMap<>();
    Map<String, Bucket> buckets = new LinkedHashMap<>();
    Map<String, Destinations> destinations = new LinkedHashMap<>();
    Map<String, AccountKey> accountKeys = new LinkedHashMap<>();
    settings.forEach(
        (name, setting) -> {
          if (setting instanceof ConnectionSettings.Jdbc jdbc) {
            HikariDataSource pool = pool(name, jdbc);
            metrics.watch(pool);
            pools.add(pool);
            databases.put(name, pool);
          } else if (setting instanceof ConnectionSettings.S3 store) {
            buckets.put(name, new Bucket(store.place(), store.credentials()));
          } else if (setting instanceof ConnectionSettings.AccountHash hash) {
            accountKeys.put(hash.key().check(), hash.key());
          }
        });
    settings.forEach(
        (name, setting) -> {
          if (setting instanceof ConnectionSettings.Destinations rows) {
            DataSource database = databases.get(rows.connection());
            if (database != null) {
              destinations.put(name, new Destinations(name, database, rows.sql()));
            }
          }
        });
    return new ConnectionPools(
        pools, new Connections(databases, buckets, destinations, accountKeys));
  }

  private static HikariDataSource pool(String name, ConnectionSettings.Jdbc jdbc) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("connection " + name);
    config.setJdbcUrl(jdbc.url());
    config.setUsername(jdbc.username());
    config.setPassword(jdbc.password());
    config.setMaximumPoolSize(Connections.POOL_SIZE);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(CONNECT_TIMEOUT.toMillis());
    // Do not connect before someone asks for a connection.
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  public Connections connections() {
    return connections;
  }

  @Override
  public void close() {
    pools.forEach(HikariDataSource::close);
    connections.buckets().values().forEach(Bucket::close);
    connections.destinations().values().forEach(Destinations::close);
  }
}
