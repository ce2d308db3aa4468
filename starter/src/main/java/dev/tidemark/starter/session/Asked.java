package dev.tidemark.starter.session;

import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that a command names, checked against the definition before anything is opened.
 */
public final class Asked {
  private Asked() {}

  /** A range of windows, both inclusive; null for no bound. */
  public record Range(@Nullable Window from, @Nullable Window to) {}

  /** The window with this label. */
  public static Window window(PipelineDefinition definition, String argument, String label) {
    try {
      return definition.extent().partitions().parse(label);
    } catch (IllegalArgumentException e) {
      throw CommandFailure.usage(
          argument,
          argument + " '" + label + "' of '" + definition.name() + "': " + e.getMessage());
    }
  }

  /** The windows with these labels. */
  public static List<String> windows(PipelineDefinition definition, List<String> labels) {
    return labels.stream()
        .map(label -> window(definition, "PARTITION", label).label())
        .distinct()
        .toList();
  }

  /** A range that does not end before it begins. */
  public static Range range(
      PipelineDefinition definition, @Nullable String from, @Nullable String to) {
    Window first = from == null ? null : window(definition, "--from", from);
    Window last = to == null ? null : window(definition, "--to", to);
    if (first != null && last != null && first.compareTo(last) > 0) {
      throw CommandFailure.usage(
          "--to", "--to " + last.label() + " lies before --from " + first.label() + "; swap them");
    }
    return new Range(first, last);
  }
}
