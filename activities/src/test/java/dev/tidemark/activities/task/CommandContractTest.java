package dev.tidemark.activities.task;

import dev.tidemark.workflows.pipeline.TaskSpec;
import java.time.Duration;
import java.util.List;

class CommandContractTest extends PartitionTaskContract {
  @Override
  TaskSpec task() {
    String script = "echo \"$TIDEMARK_PARTITION,$TIDEMARK_SLICE_UNIT\" > \"$1/total.csv\"";
    return new TaskSpec.Command(
        List.of("sh", "-c", script, "sh", "{output}"), Duration.ofMinutes(1));
  }
}
