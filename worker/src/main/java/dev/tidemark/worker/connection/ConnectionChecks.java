package dev.tidemark.worker.connection;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Tries each connection, and the folders that outputs go to (B41). */
public final class ConnectionChecks {
  private final Path folder;
  private final OutputStores outputs;
  private final Connections connections;
  private final Stores stores;

  /**
   * @param folder relative locations of outputs are relative to it
   * @param pipelines whose outputs are tried
   */
  public ConnectionChecks(
      Path folder, List<PipelineDefinition> pipelines, Connections connections, Stores stores) {
    this.folder = folder;
    this.outputs = OutputStores.of(pipelines);
    this.connections = connections;
    this.stores = stores;
  }

  /**
   * Tries these connections: a database is queried, in a bucket all is done that publishing does.
   */
  public List<Checked> connections(Collection<String> names) {
    List<Checked> checked = new ArrayList<>();
    for (String name : names) {
      if (connections.buckets().containsKey(name)) {
        locations(name)
            .forEach(
                location -> checked.add(StoreCheck.run(name, location, stores.open(location))));
      } else {
        checked.add(ConnectionCheck.database(name, connections.database(name)));
      }
    }
    return checked;
  }

  /** Tries the folders that outputs go to. */
  public List<Checked> folders() {
    return outputs.folders().stream()
        .map(location -> ConnectionCheck.folder(location, folder.resolve(location)))
        .toList();
  }

  /** Where outputs go on a connection: a key may be good for a prefix only. Else the bucket. */
  private Set<String> locations(String connection) {
    return outputs
        .buckets()
        .getOrDefault(connection, new TreeSet<>(Set.of("connection:" + connection)));
  }
}
