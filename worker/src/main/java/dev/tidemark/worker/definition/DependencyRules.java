package dev.tidemark.worker.definition;

import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Mapping;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What pipelines that read each other have to keep (C24). */
public final class DependencyRules {
  private final Map<String, PipelineDefinition> pipelines = new LinkedHashMap<>();
  private final Collection<String> names;

  /**
   * @param pipelines those that could be read
   * @param names of all that there are
   */
  public DependencyRules(Collection<PipelineDefinition> pipelines, Collection<String> names) {
    pipelines.forEach(pipeline -> this.pipelines.put(pipeline.name(), pipeline));
    this.names = names;
  }

  /** Every rule that the inputs of a pipeline break; empty for good ones. */
  public List<Violation> violations(PipelineDefinition pipeline) {
    List<Violation> found = new ArrayList<>();
    for (int i = 0; i < pipeline.inputs().size(); i++) {
      if (pipeline.inputs().get(i) instanceof InputSpec.Upstream input) {
        check(pipeline, input, "inputs[" + i + "].", found);
      }
    }
    return found;
  }

  private void check(
      PipelineDefinition pipeline, InputSpec.Upstream input, String key, List<Violation> found) {
    String name = input.pipeline();
    if (!names.contains(name)) {
      found.add(
          new Violation(
              key + "upstream", "'" + name + "' is no pipeline here" + Nearest.hint(name, names)));
      return;
    }
    List<String> cycle = pathBack(name, pipeline.name());
    if (cycle != null) {
      found.add(
          new Violation(
              key + "upstream",
              "'%s' closes a circle: %s -> %s; remove one of these inputs"
                  .formatted(name, pipeline.name(), String.join(" -> ", cycle))));
      return;
    }
    PipelineDefinition upstream = pipelines.get(name);
    if (upstream != null) {
      checkMapping(
          pipeline.extent().partitions(), upstream.extent().partitions(), input, key, found);
    }
  }

  private static void checkMapping(
      Partitioning own,
      Partitioning upstream,
      InputSpec.Upstream input,
      String key,
      List<Violation> found) {
    if (input.mapping().isWindowByWindow()) {
      if (own.every() != upstream.every() || !own.zone().equals(upstream.zone())) {
        found.add(
            new Violation(
                key + "mapping",
                "goes window by window, and this pipeline has every %s in %s, '%s' every %s in %s; make them equal, or use rollup"
                    .formatted(
                        own.every().code(),
                        own.zone(),
                        input.pipeline(),
                        upstream.every().code(),
                        upstream.zone())));
      }
    } else if (input.mapping() instanceof Mapping.Rollup
        && own.every().compareTo(upstream.every()) <= 0) {
      found.add(
          new Violation(
              key + "mapping",
              "rollup needs longer windows than the upstream's, and this pipeline has every %s, '%s' every %s"
                  .formatted(own.every().code(), input.pipeline(), upstream.every().code())));
    }
  }

  /** The way along upstream inputs, or null where there is none. */
  private @Nullable List<String> pathBack(String from, String to) {
    Map<String, String> reachedFrom = new LinkedHashMap<>();
    List<String> next = new ArrayList<>(List.of(from));
    reachedFrom.put(from, "");
    while (!next.isEmpty()) {
      String name = next.remove(0);
      if (name.equals(to)) {
        List<String> path = new ArrayList<>();
        for (String step = name; !step.isEmpty(); step = reachedFrom.getOrDefault(step, "")) {
          path.add(0, step);
        }
        return path;
      }
      PipelineDefinition pipeline = pipelines.get(name);
      if (pipeline != null) {
        for (InputSpec input : pipeline.inputs()) {
          if (input instanceof InputSpec.Upstream upstream
              && reachedFrom.putIfAbsent(upstream.pipeline(), name) == null) {
            next.add(upstream.pipeline());
          }
        }
      }
    }
    return null;
  }
}
