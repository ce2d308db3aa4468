package dev.tidemark.worker.definition;

import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.planning.ExpectedSlices;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Rules of which partitions there are: start and end, slices, account, closure. */
final class ExtentRules {
  /** Safe in a path, a column name, a variable's name and a placeholder. */
  private static final Pattern DIMENSION = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,62}");

  /** Names that a hive layout, or a slice line itself, uses for something else. */
  private static final Set<String> TAKEN =
      Set.of(
          "dt",
          "hour",
          "week",
          "month",
          "quarter",
          "year",
          "since",
          "until",
          "partition",
          "version");

  private ExtentRules() {}

  static void check(Draft draft, Dimensions dimensions, List<Violation> found) {
    Partitioning partitions = draft.partitions();
    names(dimensions, found);
    List<SliceSet> slices = draft.space().slices();
    for (int i = 0; i < slices.size(); i++) {
      if (slices.get(i) instanceof SliceSet.Product line) {
        line("slices[" + i + "]", line, dimensions, found);
        if (partitions != null) {
          span("slices[" + i + "]", line, partitions, found);
        }
      }
    }
    count(slices, found);
    if (partitions != null && found.isEmpty()) {
      merged(slices, partitions, found);
    }
    if (partitions != null
        && draft.space().closure() instanceof Closure.AtWallTime
        && !partitions.every().isDaysOrLonger()) {
      found.add(
          new Violation(
              "closes-at",
              "is for windows of a day and longer, and these are of "
                  + partitions.every().code()
                  + "; use closes-after"));
    }
  }

  private static void span(
      String key, SliceSet.Product line, Partitioning partitions, List<Violation> found) {
    Optional<Window> since = window(key + ".since", line.since(), partitions, found);
    Optional<Window> until = window(key + ".until", line.until(), partitions, found);
    Instant end = partitions.endInstant();
    if (since.isPresent() && end != null && !since.get().start().isBefore(end)) {
      found.add(
          new Violation(
              key + ".since",
              "'" + line.since() + "' must be before the pipeline's end " + partitions.end()));
    }
    Window first = since.orElse(partitions.first());
    if (until.isPresent() && until.get().compareTo(first) <= 0) {
      found.add(
          new Violation(
              key + ".until",
              "'"
                  + line.until()
                  + "' must be later than the first window, "
                  + first.label()
                  + "; it is the first one that has these slices no more"));
    }
  }

  private static Optional<Window> window(
      String key, @Nullable String label, Partitioning partitions, List<Violation> found) {
    return label == null
        ? Optional.empty()
        : Partitions.from(key, partitions.every(), partitions.zone(), label, found::add)
            .map(Partitioning::first);
  }

  private static void names(Dimensions dimensions, List<Violation> found) {
    Set<String> folded = new TreeSet<>();
    for (String name : dimensions.names()) {
      if (!DIMENSION.matcher(name).matches()) {
        found.add(new Violation("slices", "dimension '" + name + "' must match " + DIMENSION));
      } else if (TAKEN.contains(name.toLowerCase(Locale.ROOT))) {
        found.add(
            new Violation(
                "slices",
                "dimension '" + name + "' has a name that is used for something else; rename it"));
      } else if (!folded.add(name.toLowerCase(Locale.ROOT))) {
        found.add(
            new Violation(
                "slices", "dimension '" + name + "' differs from another one only in its case"));
      }
    }
  }

  private static void line(
      String key, SliceSet.Product line, Dimensions dimensions, List<Violation> found) {
    if (!line.values().keySet().equals(dimensions.names())) {
      Set<String> missing = new TreeSet<>(dimensions.names());
      missing.removeAll(line.values().keySet());
      found.add(
          new Violation(
              key,
              "has no "
                  + String.join(", ", missing)
                  + "; every line must name the same dimensions: "
                  + String.join(", ", dimensions.names())));
    }
    for (Map.Entry<String, List<String>> values : line.values().entrySet()) {
      String place = key + "." + values.getKey();
      if (values.getValue().isEmpty()) {
        found.add(new Violation(place, "must name at least one value"));
      }
      if (Set.copyOf(values.getValue()).size() < values.getValue().size()) {
        found.add(new Violation(place, "names a value twice: " + values.getValue()));
      }
      if (values.getValue().stream().anyMatch(String::isBlank)) {
        found.add(new Violation(place, "must not name an empty value"));
      }
    }
  }

  private static void count(List<SliceSet> slices, List<Violation> found) {
    double count = 0;
    for (SliceSet set : slices) {
      if (set instanceof SliceSet.Product line) {
        count += line.values().values().stream().mapToDouble(List::size).reduce(1, (a, b) -> a * b);
      }
    }
    if (count > ExpectedSlices.MAX_SLICES) {
      found.add(
          new Violation(
              "slices",
              "are %.0f combinations, and a pipeline may have %d; make several pipelines"
                  .formatted(count, ExpectedSlices.MAX_SLICES)));
    }
  }

  /** What only shows once lines are put together. */
  private static void merged(
      List<SliceSet> slices, Partitioning partitions, List<Violation> found) {
    List<SliceSet.Product> lines = new ArrayList<>();
    for (SliceSet set : slices) {
      if (set instanceof SliceSet.Product line) {
        lines.add(line);
      }
    }
    try {
      ExpectedSlices.ofProducts(partitions, lines);
    } catch (IllegalArgumentException refused) {
      found.add(
          new Violation(
              "slices", String.valueOf(refused.getMessage()).replaceFirst("^slices: ", "")));
    }
  }
}
