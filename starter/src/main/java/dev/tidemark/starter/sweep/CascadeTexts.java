package dev.tidemark.starter.sweep;

import dev.tidemark.activities.planning.Cascades;
import dev.tidemark.starter.output.Table;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** A cascade as text for people. */
final class CascadeTexts {
  private CascadeTexts() {}

  static String text(List<Cascades.Step> cascade) {
    if (cascade.isEmpty()) {
      return "nothing reads it\n";
    }
    Table table = new Table("DOWNSTREAM", "RUNS", "SKIPS", "FROM", "TO", "ESTIMATE");
    for (Cascades.Step step : cascade) {
      boolean none = step.partitions().isEmpty();
      table.row(
          step.pipeline(),
          step.runs(),
          step.skips().entrySet().stream()
              .map(skip -> skip.getValue() + " " + skip.getKey())
              .collect(Collectors.joining(", ")),
          none ? "" : step.partitions().get(0).window().label(),
          none ? "" : step.partitions().get(step.partitions().size() - 1).window().label(),
          step.estimate() == null ? "unknown" : estimate(step.estimate()));
    }
    return table.render();
  }

  /** As people say it: {@code 1h 5m}, {@code 12s}; an estimate is no more exact than that. */
  private static String estimate(Duration estimate) {
    if (estimate.toSeconds() < 1) {
      return "under 1s";
    }
    if (estimate.toMinutes() < 1) {
      return estimate.toSeconds() + "s";
    }
    return estimate.toHours() < 1
        ? estimate.toMinutes() + "m " + estimate.toSecondsPart() + "s"
        : estimate.toHours() + "h " + estimate.toMinutesPart() + "m";
  }
}
