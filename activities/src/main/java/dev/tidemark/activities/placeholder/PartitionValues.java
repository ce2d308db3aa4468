package dev.tidemark.activities.placeholder;

import dev.tidemark.activities.placeholder.Template.Placeholder;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The values of {@code {partition}}, {@code {start}}, {@code {end}} and {@code {slice.<dim>}}.
 * Start and end are ISO-8601 instants in UTC; with a pattern, {@code {start:yyyy/MM/dd}}, they are
 * wall time in the pipeline's zone.
 */
public record PartitionValues(Window window, Slice slice, ZoneId zone) implements Template.Values {
  @Override
  public @Nullable String of(Placeholder placeholder) {
    return switch (placeholder.name()) {
      case "partition" -> placeholder.pattern() == null ? window.label() : null;
      case "start" -> time(window.start(), placeholder.pattern());
      case "end" -> time(window.end(), placeholder.pattern());
      default -> {
        String key = placeholder.key();
        yield key != null && placeholder.name().startsWith("slice.")
            ? slice.values().get(key)
            : null;
      }
    };
  }

  private String time(Instant instant, @Nullable String pattern) {
    return pattern == null
        ? instant.toString()
        : DateTimeFormatter.ofPattern(pattern, Locale.ROOT).format(instant.atZone(zone));
  }
}
