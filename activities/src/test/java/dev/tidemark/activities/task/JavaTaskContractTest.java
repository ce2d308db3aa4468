package dev.tidemark.activities.task;

import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Map;

class JavaTaskContractTest extends PartitionTaskContract {
  @Override
  TaskSpec task() {
    return new TaskSpec.Java("totals", Duration.ofMinutes(1));
  }

  @Override
  Map<String, PartitionTask> objects() {
    return Map.of(
        "totals",
        context ->
            Files.writeString(
                context.output().resolve("total.csv"), context.window().label() + ",1\n"));
  }
}
