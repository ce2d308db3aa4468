package dev.tidemark.worker.page;

import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.planning.Plans;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.planning.PlannedPartition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops and allows the live work of a pipeline: the same as the commands of these names. */
final class PipelineActions {
  private static final Logger log = LoggerFactory.getLogger(PipelineActions.class);

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
   * That it goes on, and the gap that it will fill (c-F4).
   *
   * @param missing how many closed partitions were never made; null where that is not known
   * @param first labels of the first of them
   * @param notices what could not be found out
   */
  private record Resumed(
      String pipeline,
      boolean paused,
      boolean changed,
      @Nullable Integer missing,
      List<String> first,
      List<String> notices) {}

  private Response resume(Request request) {
    String pipeline = pipelines.of(request).name();
    boolean changed = definitions.resume(pipeline);
    try {
      // The gap as it is before anything of it is made.
      return Response.json(resumed(pipeline, changed));
    } finally {
      client.wake(pipeline);
    }
  }

  /** Looks for the gap; the pipeline goes on all the same where it cannot be found out. */
  private Resumed resumed(String pipeline, boolean changed) {
    List<String> notices = new ArrayList<>();
    try {
      List<PlannedPartition> gap =
          plans.plan(definitions.get(pipeline), null, null, null, notices::add).missing();
      List<String> first = gap.stream().limit(SHOWN).map(line -> line.window().label()).toList();
      return new Resumed(pipeline, false, changed, gap.size(), first, notices);
    } catch (RuntimeException e) {
      log.warn("{} goes on, and the gap that it will fill cannot be listed", pipeline, e);
      notices.add("what it will fill cannot be listed: " + Page.faults().of(e).getMessage());
      return new Resumed(pipeline, false, changed, null, List.of(), notices);
    }
  }
}
