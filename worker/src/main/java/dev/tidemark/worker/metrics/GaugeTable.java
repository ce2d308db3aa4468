package dev.tidemark.worker.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The gauges of one name, by their tags. A scrape during a change sees each value, old or new, and
 * never a gap: a series that is missing once would have Prometheus begin to wait anew.
 */
final class GaugeTable {
  private final MeterRegistry registry;
  private final String name;
  private final @Nullable String unit;
  private final Map<Tags, Cell> cells = new HashMap<>();

  GaugeTable(MeterRegistry registry, String name, @Nullable String unit) {
    this.registry = registry;
    this.name = name;
    this.unit = unit;
  }

  /** Shows these, and no others any more. */
  synchronized void show(Map<Tags, Double> values) {
    values.forEach((tags, value) -> cells.computeIfAbsent(tags, this::cell).value = value);
    cells
        .entrySet()
        .removeIf(
            cell -> {
              boolean isGone = !values.containsKey(cell.getKey());
              if (isGone) {
                registry.remove(cell.getValue().gauge);
              }
              return isGone;
            });
  }

  private Cell cell(Tags tags) {
    return new Cell(registry, name, unit, tags);
  }

  /** One value. */
  private static final class Cell {
    private final Gauge gauge;
    private volatile double value;

    Cell(MeterRegistry registry, String name, @Nullable String unit, Tags tags) {
      this.gauge = Gauge.builder(name, () -> value).tags(tags).baseUnit(unit).register(registry);
    }
  }
}
