package dev.tidemark.worker.page;

import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.configuration.ConnectionSettings;
import dev.tidemark.worker.connection.Checked;
import dev.tidemark.worker.connection.ConnectionChecks;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.worker.http.Method;
import dev.tidemark.worker.http.Need;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The connections by name, and their check (B41). Addresses and users are not shown. */
final class ConnectionRoutes {
  private final Map<String, ConnectionSettings> settings;
  private final ConnectionChecks checks;
  private final Audited audited;

  ConnectionRoutes(
      Map<String, ConnectionSettings> settings, ConnectionChecks checks, Audited audited) {
    this.settings = settings;
    this.checks = checks;
    this.audited = audited;
  }

  List<Route> routes() {
    return List.of(
        new Route(Method.GET, "/api/connections", Need.VIEW, this::list),
        audited.action("/api/connections/check", "check connections", this::check));
  }

  private record Line(String name, String kind) {}

  private record Listing(List<Line> connections) {}

  private Response list(Request request) {
    return Response.json(
        new Listing(
            settings.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> new Line(entry.getKey(), kind(entry.getValue())))
                .toList()));
  }

  private static String kind(ConnectionSettings setting) {
    if (setting instanceof ConnectionSettings.AccountHash) {
      return "key";
    }
    return setting instanceof ConnectionSettings.Jdbc ? "database" : "object store";
  }

  /** One connection; null is every one, and the folders that outputs go to. */
  private record Asked(@Nullable String name) {}

  private record Results(List<Checked> connections) {}

  private Response check(Request request) {
    if (!request.caller().mayEverywhere(Role.OPERATE)) {
      throw HttpFailure.forbidden(
          request.caller().name()
              + " may not operate every pipeline, and connections are checked for all");
    }
    String name = request.json(Asked.class).name();
    if (name != null && !settings.containsKey(name)) {
      throw HttpFailure.invalid(
          "name", "no connection '" + name + "'; there are " + settings.keySet());
    }
    List<Checked> results = new ArrayList<>();
    results.addAll(
        checks.connections(
            name == null ? settings.keySet().stream().sorted().toList() : List.of(name)));
    if (name == null) {
      results.addAll(checks.folders());
    }
    return Response.json(new Results(results));
  }
}
