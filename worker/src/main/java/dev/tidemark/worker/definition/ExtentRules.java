package dev.tidemark.worker.definition;

import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.time.Instant;
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
      Set.of("dt", "hour", "week", "month", "quarter", "year", "since", "partition", "version");

  private ExtentRules() {}

  static void check(Draft draft, Dimensions dimensions, List<Violation> found) {
    Partitioning partitions = draft.partitions();
    Window first = partitions == null ? null : range(partitions, found);
    names(dimensions, found);
    List<SliceSet> slices = draft.space().slices();
    for (int i = 0; i < slices.size(); i++) {
      if (slices.get(i) instanceof SliceSet.Product line) {
        line("slices[" + i + "]", line, dimensions, found);
        if (first != null && partitions != null) {
          since("slices[" + i + "].since", line.since(), partitions, found);
        }
      }
    }
    account(draft, dimensions, found);
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

  /** The first window, or null where start or end is refused. */
  private static @Nullable Window range(Partitioning partitions, List<Violation> found) {
    Optional<Window> start = window("partitions.start", partitions, partitions.start(), found);
    String endLabel = partitions.end();
    if (endLabel == null) {
      return start.orElse(null);
    }
    Optional<Window> end = window("partitions.end", partitions, endLabel, found);
    if (start.isEmpty() || end.isEmpty()) {
      return null;
    }
    if (!start.get().start().isBefore(end.get().start())) {
      found.add(
          new Violation(
              "partitions.end",
              "'"
                  + endLabel
                  + "' must be later than start "
                  + partitions.start()
                  + "; it is the first window that is no longer part"));
      return null;
    }
    return start.get();
  }

  private static Optional<Window> window(
      String key, Partitioning partitions, String label, List<Violation> found) {
    try {
      return Optional.of(
          new Partitioning(partitions.every(), partitions.zone(), label, null).first());
    } catch (IllegalArgumentException refused) {
      found.add(new Violation(key, String.valueOf(refused.getMessage())));
      return Optional.empty();
    }
  }

  private static void since(
      String key, @Nullable String label, Partitioning partitions, List<Violation> found) {
    if (label == null) {
      return;
    }
    Instant end = partitions.endInstant();
    window(key, partitions, label, found)
        .filter(since -> end != null && !since.start().isBefore(end))
        .ifPresent(
            since ->
                found.add(
                    new Violation(
                        key,
                        "'" + label + "' must be before the pipeline's end " + partitions.end())));
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

  private static void account(Draft draft, Dimensions dimensions, List<Violation> found) {
    String account = draft.space().account();
    if (account != null && !dimensions.has(account)) {
      found.add(
          new Violation(
              "account",
              "'"
                  + account
                  + "' is not a dimension of the slices; "
                  + dimensions.list()
                  + Nearest.hint(account, dimensions.names())));
    }
    if (account == null && draft.pace().limits().perAccount() != null) {
      found.add(new Violation("limits.per-account", "needs an account: the dimension to count by"));
    }
    if (account == null && draft.pace().limits().perAccountParallel() != null) {
      found.add(
          new Violation(
              "limits.per-account-parallel", "needs an account: the dimension to count by"));
    }
  }
}
