package dev.tidemark.activities.planning;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.pipeline.InputSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Which of some pipelines read which. */
final class Readers {
  private final Collection<RegisteredPipeline> pipelines;

  Readers(Collection<RegisteredPipeline> pipelines) {
    this.pipelines = pipelines;
  }

  /** What the pipeline reads of others. */
  static List<InputSpec.Upstream> upstreams(RegisteredPipeline pipeline) {
    return pipeline.definition().inputs().stream()
        .filter(InputSpec.Upstream.class::isInstance)
        .map(InputSpec.Upstream.class::cast)
        .toList();
  }

  /** Those that read it themselves. */
  List<RegisteredPipeline> of(String name) {
    return pipelines.stream()
        .filter(
            pipeline ->
                upstreams(pipeline).stream().anyMatch(input -> input.pipeline().equals(name)))
        .toList();
  }

  /** Everything that reads it, over any number of steps; each after all that it reads of them. */
  List<RegisteredPipeline> below(String name) {
    Deque<RegisteredPipeline> order = new ArrayDeque<>();
    visit(name, new LinkedHashSet<>(), order);
    return new ArrayList<>(order);
  }

  private void visit(String name, Set<String> seen, Deque<RegisteredPipeline> order) {
    for (RegisteredPipeline reader : of(name)) {
      if (seen.add(reader.name())) {
        visit(reader.name(), seen, order);
        order.addFirst(reader);
      }
    }
  }
}
