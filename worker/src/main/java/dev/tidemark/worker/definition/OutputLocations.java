package dev.tidemark.worker.definition;

import dev.tidemark.activities.placeholder.Template;
import dev.tidemark.activities.placeholder.Template.Placeholder;
import dev.tidemark.activities.publish.OutputLocation;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The locations that a template with {@code {slice.<dim>}} in it stands for. */
public final class OutputLocations {
  private final String template;
  private final List<String> dimensions;
  private final Set<String> locations = new LinkedHashSet<>();

  private OutputLocations(String template) {
    this.template = template;
    this.dimensions =
        Template.parse(template).parts().stream()
            .filter(Placeholder.class::isInstance)
            .map(part -> ((Placeholder) part).key())
            .filter(Objects::nonNull)
            .distinct()
            .toList();
  }

  /**
   * Each location once, for the slices that are written down: what a query will return is not known
   * before it is run.
   *
   * @throws IllegalArgumentException if the template or a dimension is none
   */
  public static Set<String> of(String template, List<SliceSet> slices) {
    OutputLocations all = new OutputLocations(template);
    if (all.dimensions.isEmpty()) {
      return Set.of(template);
    }
    for (SliceSet set : slices) {
      if (set instanceof SliceSet.Product product) {
        all.fill(product.values(), new HashMap<>(), 0);
      }
    }
    return all.locations;
  }

  private void fill(Map<String, List<String>> values, Map<String, String> chosen, int next) {
    if (next == dimensions.size()) {
      locations.add(OutputLocation.of(template, Slice.of(chosen)));
      return;
    }
    String dimension = dimensions.get(next);
    for (String value : values.getOrDefault(dimension, List.of())) {
      chosen.put(dimension, value);
      fill(values, chosen, next + 1);
    }
  }
}
