package dev.tidemark.activities.inputs;

import dev.tidemark.activities.inputs.InputVersions.AsOf;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.Upstreams.Read;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Mapping;
import dev.tidemark.workflows.planning.ExpectedSlice;
import dev.tidemark.workflows.planning.PlanInput;
import dev.tidemark.workflows.planning.UpstreamRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One look at everything upstream of a pipeline: one query for each pipeline and range. It reaches
 * all the way up, since a partition whose own upstream is about to change is about to change too:
 * so that a cascade runs in the order of its dependencies, each partition once, whichever pipeline
 * looks first.
 */
final class UpstreamScan {
  private final Upstreams ledger;
  private final AsOf at;
  private final Map<Range, UpstreamPartitions> loaded = new HashMap<>();
  private final Set<String> path = new LinkedHashSet<>();

  UpstreamScan(Upstreams ledger, AsOf at) {
    this.ledger = ledger;
    this.at = at;
  }

  /** The windows of a pipeline that start in [from, to). */
  private record Range(String pipeline, Instant from, Instant to) {}

  /**
   * The upstream inputs of the windows that start in [from, to).
   *
   * @throws DetectorException if they lead back to the pipeline, or are too many
   */
  UpstreamInputs inputsOf(RegisteredPipeline pipeline, Instant from, Instant to)
      throws DetectorException {
    List<UpstreamInput> inputs = new ArrayList<>();
    if (!path.add(pipeline.name())) {
      throw new DetectorException(
          "upstream inputs lead in a circle: "
              + String.join(" reads ", path)
              + " reads "
              + pipeline.name());
    }
    var extent = pipeline.definition().extent();
    for (InputSpec input : pipeline.definition().inputs()) {
      if (input instanceof InputSpec.Upstream upstream && from.isBefore(to)) {
        inputs.add(
            new UpstreamInput(
                upstream, extent, read(upstream, extent.partitions(), from, to), at.now()));
      }
    }
    path.remove(pipeline.name());
    return new UpstreamInputs(inputs);
  }

  private @Nullable UpstreamPartitions read(
      InputSpec.Upstream input, Partitioning reader, Instant from, Instant to)
      throws DetectorException {
    Optional<RegisteredPipeline> found = ledger.find(input.pipeline());
    if (found.isEmpty()) {
      return null;
    }
    Partitioning partitions = found.get().definition().extent().partitions();
    Range range = range(input, reader, partitions, from, to);
    UpstreamPartitions known = loaded.get(range);
    if (known == null) {
      known = load(found.get(), range);
      loaded.put(range, known);
    }
    return known;
  }

  private static Range range(
      InputSpec.Upstream input,
      Partitioning reader,
      Partitioning upstream,
      Instant from,
      Instant to) {
    Mapping mapping = input.mapping();
    Window first = reader.containing(from);
    Window last = reader.containing(to.minusNanos(1));
    List<Window> early = mapping.upstreamOf(first, upstream);
    List<Window> late = mapping.upstreamOf(last, upstream);
    return new Range(
        input.pipeline(),
        early.isEmpty() ? first.start() : early.get(0).start(),
        late.isEmpty() ? last.end() : late.get(late.size() - 1).end());
  }

  private UpstreamPartitions load(RegisteredPipeline pipeline, Range range)
      throws DetectorException {
    Map<Slice, Map<Instant, Read>> rows = new HashMap<>();
    int[] count = {0};
    ledger.read(
        pipeline,
        range.from(),
        range.to(),
        row -> {
          count[0]++;
          rows.computeIfAbsent(row.facts().slice(), slice -> new HashMap<>())
              .put(row.facts().window().start(), row);
        });
    if (count[0] > Upstreams.MAX_ROWS) {
      throw new DetectorException(
          "from %s to %s, upstream '%s' has more than %d partitions to look at"
              .formatted(range.from(), range.to(), pipeline.name(), Upstreams.MAX_ROWS));
    }
    List<ExpectedSlice> slices = ledger.slices(pipeline);
    PlanInput input =
        new PlanInput(
            new PlanInput.Registration(
                pipeline.definition(),
                pipeline.fingerprint(),
                pipeline.paused(),
                pipeline.lookbackFloor()),
            slices,
            List.of(),
            null,
            at.now(),
            at.clock(),
            null);
    return new UpstreamPartitions(
        pipeline,
        new UpstreamRules(input),
        slices,
        rows,
        inputsOf(pipeline, range.from(), range.to()));
  }
}
