package dev.tidemark.starter.backfill;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.planning.Cascades;
import dev.tidemark.starter.session.Session;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillRequest.Mode;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A request, and with {@code --downstream} those for everything that reads it. */
record Requests(List<OfPipeline> all) {

  /** What is asked of one pipeline. */
  record OfPipeline(RegisteredPipeline pipeline, BackfillRequest request) {}

  static Requests one(RegisteredPipeline pipeline, BackfillRequest request) {
    return new Requests(List.of(new OfPipeline(pipeline, request)));
  }

  /**
   * With the windows below that read the range, in the order of the dependencies; parameters are
   * for the pipeline that is named.
   */
  static Requests withDownstream(Session session, RegisteredPipeline root, BackfillRequest request)
      throws SQLException {
    Instant now = request.now() == null ? session.now() : request.now();
    var partitions = root.definition().extent().partitions();
    Window from = partitions.parse(request.from());
    Window to = partitions.parse(request.to());
    List<OfPipeline> all = new ArrayList<>();
    all.add(new OfPipeline(root, request));
    Cascades cascades = session.cascades();
    for (Cascades.Reached reached : cascades.reach(root, from, to, now)) {
      RegisteredPipeline pipeline = session.forWork(reached.pipeline());
      cascades
          .narrowed(pipeline, request.slice())
          .ifPresent(slice -> all.add(new OfPipeline(pipeline, below(request, reached, slice))));
    }
    return new Requests(all);
  }

  private static BackfillRequest below(
      BackfillRequest request, Cascades.Reached reached, Slice filter) {
    return new BackfillRequest(
        request.requestId(),
        reached.from().label(),
        reached.to().label(),
        filter.values(),
        request.mode() == null ? Mode.MISSING : request.mode(),
        request.order(),
        request.parallel(),
        request.reason(),
        Map.of(),
        request.requestedBy(),
        request.now());
  }
}
