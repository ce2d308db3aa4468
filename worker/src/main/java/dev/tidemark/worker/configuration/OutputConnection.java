package dev.tidemark.worker.configuration;

import dev.tidemark.activities.placeholder.Template;
import dev.tidemark.activities.placeholder.Template.Placeholder;
import dev.tidemark.activities.publish.OutputLocation;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The connections that an output's location names: one, or one for each value of the slices in it.
 */
final class OutputConnection {
  private static final String PREFIX = "connection:";

  /** So that one slip of the pen does not fill the screen. */
  private static final int MOST = 3;

  private OutputConnection() {}

  /** Reports every connection that an output cannot be on, the first few of them. */
  static void check(
      Section output, String location, ConnectionsSection connections, List<SliceSet> slices) {
    if (location.startsWith(PREFIX)) {
      String rest = location.substring(PREFIX.length());
      int slash = rest.indexOf('/');
      String template = slash < 0 ? rest : rest.substring(0, slash);
      Set<String> names;
      try {
        names = names(template, slices);
      } catch (IllegalArgumentException reportedAsText) {
        // The rules of a pipeline say what is wrong with a placeholder or a dimension.
        return;
      }
      names.stream()
          .filter(name -> !connections.takesOutputs(name))
          .limit(MOST)
          .forEach(name -> connections.refuseOutput(output, name));
    }
  }

  private static Set<String> names(String template, List<SliceSet> slices) {
    List<String> dimensions =
        Template.parse(template).parts().stream()
            .filter(Placeholder.class::isInstance)
            .map(part -> ((Placeholder) part).key())
            .filter(key -> key != null)
            .distinct()
            .toList();
    Set<String> names = new LinkedHashSet<>();
    if (dimensions.isEmpty()) {
      names.add(template);
    }
    for (SliceSet set : slices) {
      // What a query will return is not known here; an unknown connection then fails its partition.
      if (!dimensions.isEmpty() && set instanceof SliceSet.Product product) {
        fill(template, dimensions, 0, product.values(), new HashMap<>(), names);
      }
    }
    return names;
  }

  private static void fill(
      String template,
      List<String> dimensions,
      int next,
      Map<String, List<String>> values,
      Map<String, String> chosen,
      Set<String> names) {
    if (next == dimensions.size()) {
      names.add(OutputLocation.of(template, Slice.of(chosen)));
      return;
    }
    String dimension = dimensions.get(next);
    // A dimension that there is not is reported with the other placeholders.
    for (String value : values.getOrDefault(dimension, List.of())) {
      chosen.put(dimension, value);
      fill(template, dimensions, next + 1, values, chosen, names);
    }
  }
}
