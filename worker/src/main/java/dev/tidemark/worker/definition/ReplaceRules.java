package dev.tidemark.worker.definition;

import dev.tidemark.activities.connection.NamedSql;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Rules of {@code task.replace}: what a partition deletes is its own, and nothing else. */
final class ReplaceRules {
  /** A name of SQL, bare or in quotes. */
  private static final String NAME = "([A-Za-z_][A-Za-z0-9_$]*|\"[^\"]+\")";

  private static final Pattern TABLE = Pattern.compile("(" + NAME + "\\.)?" + NAME);

  private static final Set<String> WINDOW = Set.of("partition", "start", "end");

  private ReplaceRules() {}

  static void check(TaskSpec.Replace replace, Dimensions dimensions, List<Violation> found) {
    if (!TABLE.matcher(replace.table()).matches()) {
      found.add(
          new Violation(
              "task.replace.table",
              "'"
                  + replace.table()
                  + "' must be the name of one table, such as daily_sales or reports.daily_sales"));
    }
    Set<String> used = new TreeSet<>(NamedSql.parse(replace.where()).names());
    if (Collections.disjoint(used, WINDOW)) {
      found.add(
          new Violation(
              "task.replace.where",
              "must name the partition, such as day = cast(:partition as date), or at >= :start and"
                  + " at < :end; else each partition deletes what the others wrote"));
    }
    String missing =
        dimensions.names().stream()
            .map(dimension -> ":slice_" + dimension)
            .filter(parameter -> !used.contains(parameter.substring(1)))
            .collect(Collectors.joining(", "));
    if (!missing.isEmpty()) {
      found.add(
          new Violation(
              "task.replace.where",
              "must name every dimension, and lacks "
                  + missing
                  + "; else each slice deletes what the others wrote"));
    }
  }
}
