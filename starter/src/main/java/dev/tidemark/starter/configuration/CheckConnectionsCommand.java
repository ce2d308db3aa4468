package dev.tidemark.starter.configuration;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.starter.output.Table;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.worker.connection.Checked;
import dev.tidemark.worker.connection.ConnectionChecks;
import dev.tidemark.worker.process.ConnectionPools;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code check-connections}: whether what pipelines read and write can be used (B41). */
@Command(
    name = "check-connections",
    description = "Tries each connection: queries a database, writes and deletes a small object.",
    footer = {
      "%nWithout a name it also tries the folders that outputs go to. Exits 3 if something cannot"
          + " be",
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
    if (name != null
        && !configuration.connections().containsKey(ConnectionChecks.connection(name))) {
      throw CommandFailure.usage(
          "NAME",
          "no connection '"
              + name
              + (configuration.connections().isEmpty()
                  ? "'; the file has none"
                  : "'; there are " + configuration.connections().keySet()));
    }
    List<Checked> checked = new ArrayList<>();
    try (ConnectionPools pools = ConnectionPools.of(configuration.connections())) {
      Connections connections = pools.connections();
      ConnectionChecks checks =
          new ConnectionChecks(
              configuration.folder(),
              configuration.pipelines(),
              connections,
              new ConfiguredStores(configuration.folder(), connections, workspace.clock()));
      checked.addAll(
          checks.connections(name == null ? configuration.connections().keySet() : Set.of(name)));
      if (name == null) {
        checked.addAll(checks.folders());
      }
    }
    workspace.console().result(new View(checked), () -> text(checked));
    return exit(checked).code();
  }

  private static ExitCode exit(List<Checked> checked) {
    Checked.Verdict worst = Checked.Verdict.WORKS;
    for (Checked each : checked) {
      worst = each.verdict().compareTo(worst) > 0 ? each.verdict() : worst;
    }
    return switch (worst) {
      case WORKS -> ExitCode.DONE;
      case FAILS -> ExitCode.FAILED;
      case UNREACHABLE -> ExitCode.UNREACHABLE;
    };
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
