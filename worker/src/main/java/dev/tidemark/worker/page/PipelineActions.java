package dev.tidemark.worker.page;

import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.planning.Plans;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.planning.Plan;
import dev.tidemark.workflows.planning.PlannedPartition;
import dev.tidemark.workflows.planning.Reason;
import java.util.List;

/** Stops and allows the live work of a pipeline: the same as the commands of these names. */
final class PipelineActions {
  /** A resume shows this many partitions of the gap, and counts the rest. */
  private static final int SHOWN = 200;

  private final Pipelines pipelines;
  private final Definitions definitions;
  private final Plans plans;
  private final TidemarkClient client;
  private final Audited audited;

  PipelineActions(
      Pipelines pipelines,
      Definitions definitions,
      Plans plans,
      TidemarkClient client,
      Audited audited) {
    this.pipelines = pipelines;
    this.definitions = definitions;
    this.plans = plans;
    this.client = client;
    this.audited = audited;
  }

  List<Route> routes() {
    return List.of(
        audited.action("/api/pipelines/{pipeline}/pause", "pause", this::pause),
        audited.action("/api/pipelines/{pipeline}/resume", "resume", this::resume));
  }

  private record Paused(String pipeline, boolean paused, boolean changed) {}

  private Response pause(Request request) {
    String pipeline = pipelines.of(request).name();
    boolean changed = definitions.pause(pipeline, request.caller().name());
    return Response.json(new Paused(pipeline, true, changed));
  }

  /**
   * The gap that it will fill (c-F4).
   *
   * @param missing how many closed partitions were never made
   * @param first labels of the first of them
   */
  private record Resumed(
      String pipeline, boolean paused, boolean changed, int missing, List<String> first) {}

  private Response resume(Request request) {
    String pipeline = pipelines.of(request).name();
    boolean changed = definitions.resume(pipeline);
    // Before the plan, which may fail: it goes on then all the same.
    client.wake(pipeline);
    Plan plan = plans.plan(definitions.get(pipeline), null, null, null);
    List<PlannedPartition> gap =
        plan.partitions().stream().filter(line -> line.reason() == Reason.MISSING).toList();
    return Response.json(
        new Resumed(
            pipeline,
            false,
            changed,
            gap.size(),
            gap.stream().limit(SHOWN).map(line -> line.window().label()).toList()));
  }
}
