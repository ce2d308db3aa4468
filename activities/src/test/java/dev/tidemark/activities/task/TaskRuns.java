package dev.tidemark.activities.task;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;

/** Runs of tasks for tests: one day in Istanbul, with a slice and a parameter. */
final class TaskRuns {
  static final Window DAY =
      new Window(
          "2026-09-05",
          Instant.parse("2026-09-04T21:00:00Z"),
          Instant.parse("2026-09-05T21:00:00Z"));

  private TaskRuns() {}

  static TaskRun in(Path output) {
    TaskRun run =
        new TaskRun(
            new TaskRun.Subject(
                "sales",
                ZoneId.of("Europe/Istanbul"),
                DAY,
                Slice.of(Map.of("unit", "kadıköy/1")),
                Map.of("dry-run", "yes")),
            new TaskRun.Attempt(42, 2),
            () -> output);
    run.read("v7");
    return run;
  }
}
