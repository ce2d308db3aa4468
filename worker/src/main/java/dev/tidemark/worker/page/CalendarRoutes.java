package dev.tidemark.worker.page;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.page.HeatMap;
import dev.tidemark.activities.page.PartitionList;
import dev.tidemark.activities.page.SliceCounts;
import dev.tidemark.activities.page.Zoom;
import dev.tidemark.worker.http.Method;
import dev.tidemark.worker.http.Need;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.sweep.WorkflowIds;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** One pipeline: how it stands, its calendar, its slices, and the partitions behind a cell. */
final class CalendarRoutes {
  private static final int MOST = 500;

  private final Pipelines pipelines;
  private final Standing standing;
  private final HeatMap heatMap;
  private final SliceCounts slices;
  private final PartitionList partitions;
  private final TemporalLinks links;

  CalendarRoutes(Pipelines pipelines, Standing standing, DataSource ledger, TemporalLinks links) {
    this.pipelines = pipelines;
    this.standing = standing;
    this.heatMap = new HeatMap(ledger);
    this.slices = new SliceCounts(ledger);
    this.partitions = new PartitionList(ledger);
    this.links = links;
  }

  List<Route> routes() {
    return List.of(
        new Route(Method.GET, "/api/pipelines/{pipeline}", Need.VIEW, this::pipeline),
        new Route(Method.GET, "/api/pipelines/{pipeline}/calendar", Need.VIEW, this::calendar),
        new Route(Method.GET, "/api/pipelines/{pipeline}/slices", Need.VIEW, this::slices),
        new Route(Method.GET, "/api/pipelines/{pipeline}/partitions", Need.VIEW, this::partitions));
  }

  private record PipelineView(Standing.View standing, Rules rules, Links links) {}

  /** Where its workflows are. */
  private record Links(
      @Nullable String workflows, @Nullable String sweep, @Nullable String requests) {}

  private Response pipeline(Request request) throws SQLException {
    RegisteredPipeline pipeline = pipelines.of(request);
    String name = pipeline.name();
    return Response.json(
        new PipelineView(
            standing.of(pipeline),
            Rules.of(pipeline.definition()),
            new Links(
                links.pipeline(name),
                links.workflow(WorkflowIds.sweep(name)),
                links.workflow(WorkflowIds.manual(name)))));
  }

  private record CalendarView(String by, List<HeatMap.Cell> cells) {}

  private Response calendar(Request request) {
    RegisteredPipeline pipeline = pipelines.of(request);
    Zoom zoom =
        Zoom.of(
            pipeline.definition().extent().partitions(),
            request.query("within"),
            request.query("by"));
    return Response.json(
        new CalendarView(
            zoom.by().name().toLowerCase(Locale.ROOT),
            heatMap.cells(pipeline, zoom, Pipelines.slice(request))));
  }

  private record SlicesView(List<SliceCounts.Line> slices, boolean more) {}

  private Response slices(Request request) {
    String search = request.query("search");
    List<SliceCounts.Line> found =
        slices.search(pipelines.of(request), search == null ? "" : search);
    return Response.json(new SlicesView(found, found.size() == SliceCounts.MOST));
  }

  private record PartitionsView(List<PartitionList.Entry> partitions, boolean more) {}

  private Response partitions(Request request) {
    RegisteredPipeline pipeline = pipelines.of(request);
    Window from = Pipelines.window(pipeline, request, "from");
    Window to = Pipelines.window(pipeline, request, "to");
    String kinds = request.query("kind");
    int most = request.number("most", 100, 1, MOST);
    List<PartitionList.Entry> found =
        partitions.find(
            pipeline,
            new PartitionList.Filter(
                from == null ? null : from.start(),
                to == null ? null : to.start(),
                kinds == null ? List.of() : Arrays.asList(kinds.split(",", -1)),
                Pipelines.slice(request)),
            most + 1);
    return Response.json(
        new PartitionsView(found.stream().limit(most).toList(), found.size() > most));
  }
}
