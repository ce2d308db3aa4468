package dev.tidemark.worker.configuration;

import dev.tidemark.worker.definition.Defaults;
import dev.tidemark.worker.definition.Partitions;
import dev.tidemark.worker.yaml.Section;
import dev.tidemark.worker.yaml.Type;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code partitions}. */
final class PartitionsSection {
  private static final Type<String> LABEL =
      new Type<>("a date or a label such as 2026-01-01", text -> text.isBlank() ? null : text);

  private PartitionsSection() {}

  /** The partitioning, or null where it cannot be read, which is then reported. */
  static @Nullable Partitioning read(Section pipeline) {
    if (!pipeline.has("partitions")) {
      pipeline.problem(
          "partitions",
          "is missing; it must be such as {every: day, zone: UTC, start: 2026-01-01}");
      return null;
    }
    Section section = pipeline.section("partitions");
    section.only(List.of("every", "zone", "start", "end"), Later.KEYS);
    Grain grain = section.require("every", Types.GRAIN);
    ZoneId zone = section.get("zone", Types.ZONE);
    String start = section.require("start", LABEL);
    String end = section.get("end", LABEL);
    if (grain == null || start == null || (zone == null && section.has("zone"))) {
      return null;
    }
    return Partitions.of(
            grain,
            zone == null ? Defaults.ZONE : zone,
            start,
            end,
            violation -> pipeline.problem(violation.key(), violation.message()))
        .orElse(null);
  }
}
