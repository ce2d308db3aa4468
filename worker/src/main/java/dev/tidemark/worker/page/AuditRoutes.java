package dev.tidemark.worker.page;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.page.AuditTrail;
import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.worker.http.Method;
import dev.tidemark.worker.http.Need;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who did what. */
final class AuditRoutes {
  private static final int MOST = 500;

  private final Pipelines pipelines;
  private final AuditTrail trail;

  AuditRoutes(Pipelines pipelines, AuditTrail trail) {
    this.pipelines = pipelines;
    this.trail = trail;
  }

  List<Route> routes() {
    return List.of(new Route(Method.GET, "/api/audit", Need.VIEW, this::newest));
  }

  private record Listing(List<AuditTrail.Entry> records) {}

  private Response newest(Request request) {
    String only = request.query("pipeline");
    if (only != null && !request.caller().may(Role.VIEW, only)) {
      throw HttpFailure.forbidden(request.caller().name() + " may not view '" + only + "'");
    }
    return Response.json(
        new Listing(
            trail.newest(
                before(request),
                only == null ? seen(request) : List.of(only),
                request.number("most", 100, 1, MOST))));
  }

  /** Null for who may see all: then also what is about no pipeline, or one that was removed. */
  private @Nullable List<String> seen(Request request) {
    return request.caller().mayEverywhere(Role.VIEW)
        ? null
        : pipelines.seenBy(request).stream().map(RegisteredPipeline::name).toList();
  }

  private static @Nullable Long before(Request request) {
    int before = request.number("before", 0, 0, Integer.MAX_VALUE);
    return before == 0 ? null : Long.valueOf(before);
  }
}
