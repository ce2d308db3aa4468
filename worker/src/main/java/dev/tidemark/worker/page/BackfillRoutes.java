package dev.tidemark.worker.page;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.activities.page.AskedRanges;
import dev.tidemark.worker.access.Role;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.worker.http.Method;
import dev.tidemark.worker.http.Need;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import dev.tidemark.workflows.backfill.BackfillView;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The backfills there are, and how far each is. */
final class BackfillRoutes {
  private final Pipelines pipelines;
  private final Backfills backfills;
  private final AskedRanges asked;

  BackfillRoutes(Pipelines pipelines, Backfills backfills, AskedRanges asked) {
    this.pipelines = pipelines;
    this.backfills = backfills;
    this.asked = asked;
  }

  List<Route> routes() {
    return List.of(
        new Route(Method.GET, "/api/backfills", Need.VIEW, this::list),
        new Route(
            Method.GET, "/api/pipelines/{pipeline}/backfills/{backfill}", Need.VIEW, this::show));
  }

  /** One backfill; what it asked for is null where it was removed meanwhile. */
  private record Line(@JsonUnwrapped BackfillView progress, AskedRanges.@Nullable Asked asked) {}

  private record Listing(List<Line> backfills) {}

  private Response list(Request request) {
    String only = request.query("pipeline");
    List<BackfillView> seen =
        backfills.list().stream()
            .filter(view -> request.caller().may(Role.VIEW, view.pipeline()))
            .filter(view -> only == null || only.equals(view.pipeline()))
            .toList();
    return Response.json(new Listing(lines(seen)));
  }

  private Response show(Request request) {
    return Response.json(lines(List.of(find(pipelines, backfills, request))).get(0));
  }

  /**
   * The backfill in the path, which must be one of the pipeline in the path.
   *
   * @throws HttpFailure if there is none
   */
  static BackfillView find(Pipelines pipelines, Backfills backfills, Request request) {
    String id = request.step("backfill");
    String pipeline = pipelines.of(request).name();
    return backfills
        .find(id)
        .filter(view -> view.pipeline().equals(pipeline))
        .orElseThrow(() -> HttpFailure.notFound("no backfill '" + id + "' of '" + pipeline + "'"));
  }

  private List<Line> lines(List<BackfillView> views) {
    Map<String, AskedRanges.Asked> ranges =
        asked.of(views.stream().map(BackfillView::backfillId).filter(Objects::nonNull).toList());
    return views.stream()
        .map(
            view ->
                new Line(
                    view, Optional.ofNullable(view.backfillId()).map(ranges::get).orElse(null)))
        .toList();
  }
}
