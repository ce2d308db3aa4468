package dev.tidemark.worker.page;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.page.AttemptRecords;
import dev.tidemark.activities.planning.Explanation;
import dev.tidemark.activities.planning.Plans;
import dev.tidemark.activities.publish.PublishedOutput;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.worker.http.Method;
import dev.tidemark.worker.http.Need;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One partition: why it is due or not, its attempts, what they printed, and its output. */
final class PartitionRoutes {
  private static final int LOG_TAIL = 4_000;
  private static final int LONGEST_LOG = 200_000;

  private final Pipelines pipelines;
  private final Plans plans;
  private final Below below;
  private final PartitionReaders readers;
  private final TemporalLinks links;

  PartitionRoutes(
      Pipelines pipelines,
      Plans plans,
      Below below,
      PartitionReaders readers,
      TemporalLinks links) {
    this.pipelines = pipelines;
    this.plans = plans;
    this.below = below;
    this.readers = readers;
    this.links = links;
  }

  List<Route> routes() {
    String one = "/api/pipelines/{pipeline}/partitions/{partition}";
    return List.of(
        new Route(Method.GET, one, Need.VIEW, this::partition),
        new Route(Method.GET, one + "/logs", Need.VIEW, this::logs),
        new Route(Method.GET, one + "/output", Need.VIEW, this::output));
  }

  /**
   * All of it.
   *
   * @param row of partition_state; null before the first sweep that knows it
   * @param attempts with the end of what they printed; as many as the explanation has
   */
  private record PartitionView(
      Explanation explanation,
      @Nullable Map<String, @Nullable Object> row,
      List<AttemptView> attempts,
      List<String> inputs) {}

  /** What explain does not say of an attempt. */
  private record AttemptView(long token, @Nullable String log, @Nullable String workflow) {}

  private Response partition(Request request) {
    RegisteredPipeline pipeline = pipelines.of(request);
    Window window = Pipelines.window(pipeline, request);
    Slice slice = Pipelines.slice(request);
    Explanation explanation =
        plans
            .explain(pipeline, window, slice, null)
            .readBy(below.dependents(request.caller(), pipeline, window));
    return Response.json(
        new PartitionView(
            explanation,
            readers.row(pipeline, window, slice).orElse(null),
            readers.attempts().of(pipeline, slice, window.label(), LOG_TAIL).stream()
                .map(this::view)
                .toList(),
            pipeline.definition().inputs().stream().map(Rules::input).toList()));
  }

  private AttemptView view(AttemptRecords.Entry entry) {
    return new AttemptView(entry.token(), entry.log(), links.run(entry.run()));
  }

  private record LogView(long token, @Nullable String log) {}

  private Response logs(Request request) {
    RegisteredPipeline pipeline = pipelines.of(request);
    Window window = Pipelines.window(pipeline, request);
    String token = request.query("token");
    return attempt(pipeline, Pipelines.slice(request), window, token)
        .map(entry -> Response.json(new LogView(entry.token(), entry.log())))
        .orElseThrow(
            () ->
                HttpFailure.notFound(
                    "partition '"
                        + window.label()
                        + "' has no attempt"
                        + (token == null ? " yet" : " of token " + token)));
  }

  /** The attempt of that token, or the newest; a text that is no token has none. */
  private Optional<AttemptRecords.Entry> attempt(
      RegisteredPipeline pipeline, Slice slice, Window window, @Nullable String token) {
    if (token != null && !token.matches("[1-9][0-9]{0,17}")) {
      return Optional.empty();
    }
    return readers
        .attempts()
        .one(
            pipeline,
            slice,
            window.label(),
            token == null ? null : Long.valueOf(token),
            LONGEST_LOG);
  }

  private Response output(Request request) throws IOException {
    RegisteredPipeline pipeline = pipelines.of(request);
    Window window = Pipelines.window(pipeline, request);
    PublishedOutput output =
        readers
            .output(pipeline, window, Pipelines.slice(request))
            .orElseThrow(
                () ->
                    HttpFailure.notFound(
                        "partition '" + window.label() + "' has no complete output in the store"));
    return Response.json(output);
  }
}
