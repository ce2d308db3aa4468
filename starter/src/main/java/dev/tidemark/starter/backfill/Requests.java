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
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
    for (Cascades.Reached reached : session.cascades().reach(root, from, to, now)) {
      RegisteredPipeline pipeline = session.forWork(reached.pipeline());
      Slice filter = filter(session, pipeline, request.slice());
      if (session.slices(pipeline).stream()
          .anyMatch(expected -> expected.slice().agreesWith(filter))) {
        all.add(new OfPipeline(pipeline, below(request, reached, filter)));
      }
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

  /** Of the dimensions that are chosen by, those that this pipeline has. */
  private static Slice filter(
      Session session, RegisteredPipeline pipeline, @Nullable Map<String, String> chosen)
      throws SQLException {
    Set<String> dimensions =
        session.slices(pipeline).stream()
            .findFirst()
            .map(expected -> expected.slice().values().keySet())
            .orElse(Set.of());
    Map<String, String> kept = new TreeMap<>(chosen == null ? Map.of() : chosen);
    kept.keySet().retainAll(dimensions);
    return Slice.of(kept);
  }
}
