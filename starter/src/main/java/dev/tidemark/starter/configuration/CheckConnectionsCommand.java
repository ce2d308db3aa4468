package dev.tidemark.starter.configuration;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.connection.NoDestinationException;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.starter.output.Table;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.process.ConnectionPools;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code check-connections}: whether what pipelines read and write can be used (B41). */
@Command(
    name = "check-connections",
    description = "Tries each connection: queries a database, writes and deletes a small object.",
    footer = {
      "%nWithout a name it also tries the folders that outputs go to. Exits 3 if something cannot be",
      "reached, 1 if something can and does not work."
    })
public final class CheckConnectionsCommand implements Callable<Integer> {
  private final Workspace workspace;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description = "One connection of the configuration, or NAME:ACCOUNT (default: everything).")
  private @Nullable String name;

  public CheckConnectionsCommand(Workspace workspace) {
    this.workspace = workspace;
  }

  @Override
  public Integer call() throws Exception {
    Configuration configuration = workspace.configuration();
    if (name != null && !configuration.connections().containsKey(base(name))) {
      throw CommandFailure.usage(
          "NAME",
          "no connection '"
              + name
              + (configuration.connections().isEmpty()
                  ? "'; the file has none"
                  : "'; there are " + configuration.connections().keySet()));
    }
    List<Checked> checked = new ArrayList<>();
    OutputStores outputs = OutputStores.of(configuration);
    try (ConnectionPools pools = ConnectionPools.of(configuration.connections())) {
      Connections connections = pools.connections();
      Stores stores = new ConfiguredStores(configuration.folder(), connections, workspace.clock());
      for (String connection : name == null ? configuration.connections().keySet() : Set.of(name)) {
        if (connections.buckets().containsKey(connection)) {
          checked.addAll(stores(outputs, connection, stores));
        } else if (connections.destinations().containsKey(base(connection))) {
          checked.addAll(accounts(outputs, connection, stores));
        } else {
          checked.add(ConnectionCheck.database(connection, connections.database(connection)));
        }
      }
    }
    if (name == null) {
      for (String location : outputs.folders()) {
        checked.add(ConnectionCheck.folder(location, configuration.folder().resolve(location)));
      }
    }
    workspace.console().result(new View(checked), () -> text(checked));
    return exit(checked).code();
  }

  private static String base(String reference) {
    int colon = reference.indexOf(':');
    return colon < 0 ? reference : reference.substring(0, colon);
  }

  private static List<Checked> stores(OutputStores outputs, String reference, Stores stores) {
    return locations(outputs, reference).stream()
        .map(
            location -> {
              try {
                return StoreCheck.run(reference, location, stores.open(location));
              } catch (NoDestinationException e) {
                return Checked.fails(
                    reference,
                    StoreCheck.KIND,
                    String.valueOf(e.getMessage()),
                    e.isOutage() ? ExitCode.UNREACHABLE : ExitCode.FAILED);
              }
            })
        .toList();
  }

  /** Each account that is written down, or the one that is named. */
  private static List<Checked> accounts(OutputStores outputs, String connection, Stores stores) {
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
        : references.stream()
            .flatMap(reference -> stores(outputs, reference, stores).stream())
            .toList();
  }

  /** Where outputs go on a connection: a key may be good for a prefix only. Else the bucket. */
  private static Set<String> locations(OutputStores outputs, String connection) {
    return outputs
        .buckets()
        .getOrDefault(connection, new TreeSet<>(Set.of("connection:" + connection)));
  }

  private static ExitCode exit(List<Checked> checked) {
    ExitCode worst = ExitCode.DONE;
    for (Checked each : checked) {
      worst = each.exit().compareTo(worst) > 0 ? each.exit() : worst;
    }
    return worst;
  }

  private static String text(List<Checked> checked) {
    if (checked.isEmpty()) {
      return "nothing to check: the configuration names no connection and no output";
    }
    Table table = new Table("NAME", "KIND", "OK", "DETAIL");
    checked.forEach(
        each -> table.row(each.name(), each.kind(), each.ok() ? "yes" : "NO", each.detail()));
    return table.render();
  }

  /** The checks as JSON. */
  record View(List<Checked> connections) {}
}
