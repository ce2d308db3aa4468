package dev.tidemark.worker.page;

import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.activities.ledger.definition.NamedPartitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.planning.ExpectedPartitions;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Limits;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Asks for a range, after a look at what that would be; and what can be done to a backfill. */
final class BackfillActions {
  private static final String ONE = "/api/pipelines/{pipeline}/backfills/{backfill}";
  private static final String ALL = "/api/pipelines/{pipeline}/backfills";

  /** A preview shows this many of its partitions, and counts the rest. */
  private static final int SHOWN = 200;

  private static final Duration LONGEST = Duration.ofSeconds(20);

  private final Patience patience = new Patience(LONGEST);
  private final Pipelines pipelines;
  private final Backfills backfills;
  private final ExpectedPartitions expected;
  private final Below below;
  private final TidemarkClient client;
  private final Audited audited;

  BackfillActions(
      Pipelines pipelines,
      Backfills backfills,
      ExpectedPartitions expected,
      Below below,
      TidemarkClient client,
      Audited audited) {
    this.pipelines = pipelines;
    this.backfills = backfills;
    this.expected = expected;
    this.below = below;
    this.client = client;
    this.audited = audited;
  }

  List<Route> routes() {
    return List.of(
        audited.action(ALL + "/preview", "preview backfill", this::preview),
        audited.action(ALL, "backfill", this::ask),
        audited.action(
            ONE + "/pause", "pause backfill", request -> change(request, backfills::pause, false)),
        audited.action(
            ONE + "/resume",
            "resume backfill",
            request -> change(request, backfills::resume, true)),
        audited.action(ONE + "/cancel", "cancel backfill", this::cancel),
        audited.action(ONE + "/parallel", "set parallel of backfill", this::parallel));
  }

  /**
   * What would be asked for.
   *
   * @param readBy what reads these partitions, and becomes late by them (C24): what may be asked
   *     for with them, each of its own pipeline
   */
  private record Preview(BackfillView backfill, List<Below.Reader> readBy) {}

  private Response preview(Request request) throws SQLException {
    RegisteredPipeline pipeline = pipelines.of(request);
    BackfillRequest asked = asked(request);
    expected.bringUpToDate(pipeline, null);
    BackfillView view = backfills.preview(pipeline, asked);
    Window from = NamedPartitions.window(pipeline, "from", asked.from());
    Window to = NamedPartitions.window(pipeline, "to", asked.to());
    return Response.json(
        new Preview(
            shortened(view), below.reach(request.caller(), pipeline, from, to, asked.slice())));
  }

  private static BackfillView shortened(BackfillView view) {
    List<BackfillView.Item> items = view.items() == null ? List.of() : view.items();
    return new BackfillView(
        view.backfillId(),
        view.pipeline(),
        view.state(),
        view.partitions(),
        view.alreadyRequested(),
        view.completed(),
        view.failed(),
        view.cancelled(),
        view.error(),
        items.stream().limit(SHOWN).toList());
  }

  private Response ask(Request request) throws Exception {
    String pipeline = pipelines.of(request).name();
    BackfillRequest asked = asked(request);
    return Response.json(patience.answer(() -> client.requestBackfill(pipeline, asked)));
  }

  /** The request in the body, in the name of whoever sent it. */
  private static BackfillRequest asked(Request request) {
    BackfillRequest body = request.json(BackfillRequest.class);
    if (body.now() != null) {
      throw HttpFailure.invalid("now", "now cannot be given here; the database's clock decides");
    }
    return new BackfillRequest(
        body.requestId(),
        body.from(),
        body.to(),
        body.slice(),
        body.mode(),
        body.order(),
        body.parallel(),
        body.reason(),
        body.params(),
        request.caller().name(),
        null,
        body.items());
  }

  /** What becomes of the partitions that run: finish (the default) or cancel. */
  private record Cancel(@Nullable String running) {}

  private Response cancel(Request request) {
    String running = request.json(Cancel.class).running();
    if (running != null && !List.of("finish", "cancel").contains(running)) {
      throw HttpFailure.invalid("running", "running '" + running + "' must be finish or cancel");
    }
    return change(request, id -> backfills.cancel(id, "cancel".equals(running)), false);
  }

  private record Parallel(@Nullable Integer parallel) {}

  private Response parallel(Request request) {
    Integer parallel = request.json(Parallel.class).parallel();
    if (parallel == null || parallel < 1 || parallel > Limits.MAX_PARALLEL) {
      throw HttpFailure.invalid(
          "parallel", "parallel must be from 1 to " + Limits.MAX_PARALLEL + ": " + parallel);
    }
    return change(request, id -> backfills.setParallel(id, parallel), true);
  }

  private Response change(Request request, Function<String, BackfillView> act, boolean wakes) {
    BackfillView found = BackfillRoutes.find(pipelines, backfills, request);
    BackfillView changed = act.apply(request.step("backfill"));
    if (wakes) {
      client.wake(found.pipeline());
    }
    return Response.json(changed);
  }
}
