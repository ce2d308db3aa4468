package dev.tidemark.worker.page;

import dev.tidemark.activities.ledger.Interventions;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.planning.ExpectedPartitions;
import dev.tidemark.worker.http.HttpFailure;
import dev.tidemark.worker.http.Request;
import dev.tidemark.worker.http.Response;
import dev.tidemark.worker.http.Route;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.InputSpec;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What people do to single partitions: the same as the commands of these names. */
final class PartitionActions {
  private final Pipelines pipelines;
  private final Interventions interventions;
  private final Observations observations;
  private final ExpectedPartitions expected;
  private final TidemarkClient client;
  private final Audited audited;

  PartitionActions(
      Pipelines pipelines,
      DataSource ledger,
      ExpectedPartitions expected,
      TidemarkClient client,
      Audited audited) {
    this.pipelines = pipelines;
    this.interventions = new Interventions(ledger);
    this.observations = new Observations(ledger);
    this.expected = expected;
    this.client = client;
    this.audited = audited;
  }

  List<Route> routes() {
    return List.of(
        action("retry", this::retry),
        action("excuse", this::excuse),
        action("unexcuse", this::unexcuse),
        action("changed", this::changed));
  }

  /** What a request names; an empty list of partitions is all of them, where that makes sense. */
  record Named(
      List<String> partitions,
      @Nullable Map<String, String> slice,
      @Nullable String reason,
      @Nullable String version) {
    Named {
      partitions = partitions == null ? List.of() : List.copyOf(partitions);
    }

    Slice filter() {
      return Pipelines.slice(slice);
    }

    String why() {
      return reason == null ? "" : reason;
    }
  }

  /** Returns how many rows changed. */
  @FunctionalInterface
  private interface Act {
    int on(RegisteredPipeline pipeline, Named named) throws SQLException;
  }

  private record Done(String pipeline, List<String> partitions, int changed) {}

  private Route action(String name, Act act) {
    return audited.action("/api/pipelines/{pipeline}/" + name, name, request -> run(request, act));
  }

  private Response run(Request request, Act act) throws SQLException {
    RegisteredPipeline pipeline = pipelines.of(request);
    Named named = request.json(Named.class);
    expected.bringUpToDate(pipeline, null);
    int changed = act.on(pipeline, named);
    client.wake(pipeline.name());
    return Response.json(new Done(pipeline.name(), named.partitions(), changed));
  }

  private int retry(RegisteredPipeline pipeline, Named named) {
    return interventions.retry(pipeline, named.partitions(), named.filter());
  }

  private int excuse(RegisteredPipeline pipeline, Named named) {
    return interventions.excuse(pipeline, named.partitions(), named.filter(), named.why());
  }

  private int unexcuse(RegisteredPipeline pipeline, Named named) {
    return interventions.unexcuse(pipeline, named.partitions(), named.filter(), named.why());
  }

  private int changed(RegisteredPipeline pipeline, Named named) {
    if (pipeline.definition().inputs().stream().noneMatch(InputSpec.Push.class::isInstance)) {
      throw HttpFailure.invalid(
          "pipeline",
          "'"
              + pipeline.name()
              + "' has no input {push: true}, so that this would change nothing; add one");
    }
    if (named.partitions().isEmpty()) {
      throw HttpFailure.invalid("partitions", "partitions is missing: name at least one");
    }
    return named.partitions().stream()
        .mapToInt(label -> observations.push(pipeline, named.filter(), label, named.version()))
        .sum();
  }
}
