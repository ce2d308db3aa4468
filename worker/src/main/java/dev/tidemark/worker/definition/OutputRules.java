package dev.tidemark.worker.definition;

import dev.tidemark.activities.connection.BucketLocation;
import dev.tidemark.activities.placeholder.PartitionValues;
import dev.tidemark.activities.placeholder.Template;
import dev.tidemark.activities.placeholder.Template.Placeholder;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.OutputSpec;
import java.time.DateTimeException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Rules of where outputs go: no two partitions in one place, none outside the location. */
final class OutputRules {
  private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+://.*");

  /** Enough to see a day of quarter hours, or a year of days, come round again. */
  private static final int WINDOWS = 400;

  private OutputRules() {}

  static void check(Draft draft, Dimensions dimensions, List<Violation> found) {
    OutputSpec output = draft.output();
    if (output == null) {
      return;
    }
    location(output.location(), found);
    if (output instanceof OutputSpec.File file) {
      slices(file, dimensions, found);
      Partitioning partitions = draft.partitions();
      if (partitions != null) {
        windows(file, partitions, dimensions, found);
      }
    }
  }

  private static void location(String location, List<Violation> found) {
    if (URL.matcher(location).matches()) {
      found.add(
          new Violation(
              "output.location",
              "'"
                  + location
                  + "' is a URL; it must be a folder on this machine, or a bucket of connections:"
                  + " connection:<name>/<prefix>"));
    }
    BucketLocation.of(location)
        .map(BucketLocation::prefix)
        .filter(prefix -> !prefix.isEmpty() && !isPlain(prefix))
        .ifPresent(
            prefix ->
                found.add(
                    new Violation(
                        "output.location",
                        "'" + location + "' has a prefix with an empty name, '.' or '..' in it")));
  }

  /** Each dimension must tell its partitions apart. */
  private static void slices(OutputSpec.File file, Dimensions dimensions, List<Violation> found) {
    for (String dimension : dimensions.names()) {
      String placeholder = "{slice." + dimension + "}";
      if (!file.path().contains(placeholder) && !file.location().contains(placeholder)) {
        found.add(
            new Violation(
                "output.path",
                "'"
                    + file.path()
                    + "' is the same for every "
                    + dimension
                    + "; put {slice."
                    + dimension
                    + "} into it"));
      }
    }
  }

  private static void windows(
      OutputSpec.File file, Partitioning partitions, Dimensions dimensions, List<Violation> found) {
    Map<String, String> any = new TreeMap<>();
    Template template = Template.parse(file.path());
    template.parts().stream()
        .filter(Placeholder.class::isInstance)
        .map(part -> ((Placeholder) part).key())
        .forEach(
            key -> {
              if (key != null && dimensions.has(key)) {
                any.put(key, "x");
              }
            });
    Map<String, Window> seen = new HashMap<>();
    Window window = partitions.first();
    for (int i = 0; i < WINDOWS; i++, window = partitions.next(window)) {
      String path;
      try {
        path = template.fill(new PartitionValues(window, Slice.of(any), partitions.zone()));
      } catch (IllegalArgumentException | DateTimeException reportedAsText) {
        // TextRules says what is wrong with a placeholder.
        return;
      }
      if (i == 0 && !isPlain(path)) {
        found.add(
            new Violation(
                "output.path",
                "'"
                    + file.path()
                    + "' makes '"
                    + path
                    + "'; it must be a relative path without empty names, '.' and '..'"));
        return;
      }
      Window other = seen.putIfAbsent(path, window);
      if (other != null) {
        found.add(
            new Violation(
                "output.path",
                "'"
                    + file.path()
                    + "' is the same for "
                    + other.label()
                    + " and "
                    + window.label()
                    + "; put {partition} into it, or more of {start:yyyy/MM/dd}"));
        return;
      }
    }
  }

  private static boolean isPlain(String path) {
    return Arrays.stream(path.split("/", -1))
        .noneMatch(name -> name.isEmpty() || name.equals(".") || name.equals(".."));
  }
}
