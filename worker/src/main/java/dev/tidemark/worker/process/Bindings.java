package dev.tidemark.worker.process;

import dev.tidemark.activities.inputs.ChangeDetector;
import dev.tidemark.activities.task.PartitionTask;
import java.util.Map;

/**
 * What is given to a worker as Java objects.
 *
 * @param tasks by the name in {@code TaskSpec.Java}
 * @param detectors by the pipeline's name
 */
public record Bindings(Map<String, PartitionTask> tasks, Map<String, ChangeDetector> detectors) {
  public static final Bindings NONE = new Bindings(Map.of(), Map.of());

  public Bindings {
    tasks = Map.copyOf(tasks);
    detectors = Map.copyOf(detectors);
  }
}
