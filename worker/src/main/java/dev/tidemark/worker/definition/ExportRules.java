package dev.tidemark.worker.definition;

import dev.tidemark.activities.connection.NamedSql;
import dev.tidemark.workflows.export.Column;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rules of exports: each partition has its own rows, in a folder of its own. */
final class ExportRules {
  private static final Set<String> WINDOW = Set.of("partition", "start", "end");

  private ExportRules() {}

  static void check(
      TaskSpec.Export export, Draft draft, Dimensions dimensions, List<Violation> found) {
    output(draft.output(), found);
    query(export.query(), dimensions, found);
    if (draft.partitions() != null) {
      columns(export, draft.partitions(), dimensions, found);
    }
  }

  private static void output(@Nullable OutputSpec output, List<Violation> found) {
    if (output == null) {
      found.add(new Violation("output", "is missing; an export needs a place for its files"));
    } else if (!(output instanceof OutputSpec.Hive)) {
      found.add(
          new Violation(
              "output.layout",
              "must be hive for an export, which has several files and a manifest of them"));
    }
  }

  private static void query(String query, Dimensions dimensions, List<Violation> found) {
    Set<String> used = new TreeSet<>(NamedSql.parse(query).names());
    if (Collections.disjoint(used, WINDOW)) {
      found.add(
          new Violation(
              "task.export.query",
              "must name the partition, such as at >= :start and at < :end; else each partition has"
                  + " the rows of all"));
    }
    String missing =
        dimensions.names().stream()
            .map(dimension -> "slice_" + dimension)
            .filter(parameter -> !used.contains(parameter))
            .map(parameter -> ":" + parameter)
            .collect(Collectors.joining(", "));
    if (!missing.isEmpty()) {
      found.add(
          new Violation(
              "task.export.query",
              "must name every dimension, and lacks "
                  + missing
                  + "; else each slice has the rows of all"));
    }
  }

  /** A folder's name is a column to those who read the folders. */
  private static void columns(
      TaskSpec.Export export,
      Partitioning partitions,
      Dimensions dimensions,
      List<Violation> found) {
    Set<String> taken = new TreeSet<>(dimensions.names());
    taken.addAll(timeColumns(partitions.every()));
    List<Column> columns = export.dataset().columns();
    for (int i = 0; i < columns.size(); i++) {
      String name = columns.get(i).name();
      if (taken.contains(name.toLowerCase(Locale.ROOT))) {
        found.add(
            new Violation(
                "task.export.columns[" + i + "].name",
                "'"
                    + name
                    + "' is a column already, by the partition's folders; name it otherwise"));
      }
    }
  }

  private static List<String> timeColumns(Grain grain) {
    return switch (grain) {
      case QUARTER_HOUR -> List.of("dt", "hour", "minute");
      case HOUR -> List.of("dt", "hour");
      case DAY -> List.of("dt");
      case WEEK, MONTH, QUARTER, YEAR -> List.of(grain.code());
    };
  }
}
