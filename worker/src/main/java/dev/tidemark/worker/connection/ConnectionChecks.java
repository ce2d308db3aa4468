package dev.tidemark.worker.connection;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.connection.NoDestinationException;
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
   *
   * @param names of connections; {@code NAME:ACCOUNT} is the bucket of one account
   */
  public List<Checked> connections(Collection<String> names) {
    List<Checked> checked = new ArrayList<>();
    for (String name : names) {
      if (connections.buckets().containsKey(name)) {
        checked.addAll(stores(name));
      } else if (connections.destinations().containsKey(connection(name))) {
        checked.addAll(accounts(name));
      } else if (connections.databases().containsKey(name)) {
        checked.add(ConnectionCheck.database(name, connections.database(name)));
      } else {
        checked.add(Checked.works(name, "key", "accounts are hashed with it"));
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

  /** Of {@code NAME:ACCOUNT}, the name. */
  public static String connection(String reference) {
    int colon = reference.indexOf(':');
    return colon < 0 ? reference : reference.substring(0, colon);
  }

  private List<Checked> stores(String reference) {
    return locations(reference).stream().map(location -> store(reference, location)).toList();
  }

  private Checked store(String reference, String location) {
    try {
      return StoreCheck.run(reference, location, stores.open(location));
    } catch (NoDestinationException e) {
      return Checked.fails(
          reference,
          StoreCheck.KIND,
          String.valueOf(e.getMessage()),
          e.isOutage() ? Checked.Verdict.UNREACHABLE : Checked.Verdict.FAILS);
    }
  }

  /** Each account that is written down, or the one that is named. */
  private List<Checked> accounts(String connection) {
    List<String> references =
        connection.contains(":")
            ? List.of(connection)
            : outputs.buckets().keySet().stream()
                .filter(reference -> reference.startsWith(connection + ":"))
                .toList();
    return references.isEmpty()
        ? List.of(
            Checked.works(
                connection,
                StoreCheck.KIND,
                "no account of it is written down, so none was tried; name one: check-connections "
                    + connection
                    + ":ACCOUNT"))
        : references.stream().flatMap(reference -> stores(reference).stream()).toList();
  }

  /** Where outputs go on a connection: a key may be good for a prefix only. Else the bucket. */
  private Set<String> locations(String connection) {
    return outputs
        .buckets()
        .getOrDefault(connection, new TreeSet<>(Set.of("connection:" + connection)));
  }
}
