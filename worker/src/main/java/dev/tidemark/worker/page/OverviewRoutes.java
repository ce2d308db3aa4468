package dev.tidemark.worker.page;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.http.Method;
import dev.tidemark.worker.http.Need;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How every pipeline stands. */
final class OverviewRoutes {
  private final Pipelines pipelines;
  private final Standing standing;
  private final @Nullable String temporalUi;

  OverviewRoutes(Pipelines pipelines, Standing standing, @Nullable String temporalUi) {
    this.pipelines = pipelines;
    this.standing = standing;
    this.temporalUi = temporalUi;
  }

  List<Route> routes() {
    return List.of(
        new Route(Method.GET, "/api/me", Need.VIEW, this::me),
        new Route(Method.GET, "/api/overview", Need.VIEW, this::overview));
  }

  /**
   * Who asks.
   *
   * @param operates the names of the pipelines that they may operate
   * @param operatesAll whether they may operate also those that are still to come
   */
  private record Me(
      String name, List<String> operates, boolean operatesAll, @Nullable String temporalUi) {}

  private Response me(Request request) {
    List<String> operates =
        pipelines.seenBy(request).stream()
            .map(RegisteredPipeline::name)
            .filter(name -> request.caller().may(Role.OPERATE, name))
            .toList();
    return Response.json(
        new Me(
            request.caller().name(),
            operates,
            request.caller().mayEverywhere(Role.OPERATE),
            temporalUi));
  }

  private record Overview(List<Standing.View> pipelines) {}

  private Response overview(Request request) throws SQLException {
    List<Standing.View> views = new ArrayList<>();
    for (RegisteredPipeline pipeline : pipelines.seenBy(request)) {
      views.add(standing.of(pipeline));
    }
    return Response.json(new Overview(views));
  }
}
