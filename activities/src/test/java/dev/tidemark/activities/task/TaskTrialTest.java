package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TaskTrialTest {
  @TempDir Path folder;

  private TaskTrial.Result tryOut(Duration timeout, String... command) {
    TaskSpec task = new TaskSpec.Command(List.of(command), timeout);
    return new TaskTrial(new Tasks(folder, Connections.NONE, Map.of()))
        .run(
            TestPipeline.daily("sales").task(task).build(),
            TaskRuns.DAY,
            Slice.EMPTY,
            Map.of(),
            folder);
  }

  @Test
  void leavesWhatTheTaskMade() {
    TaskTrial.Result result =
        tryOut(Duration.ofMinutes(1), "sh", "-c", "echo x > $TIDEMARK_OUTPUT/a.csv; echo made");

    assertThat(result).isEqualTo(new TaskTrial.Result(null, null, null, "made"));
    assertThat(folder.resolve("a.csv")).hasContent("x");
  }

  @Test
  void saysHowItFailed() {
    assertThat(tryOut(Duration.ofMinutes(1), "sh", "-c", "exit 65").failure())
        .isEqualTo(FailureKind.BAD_DATA);
    assertThat(tryOut(Duration.ofMillis(200), "sleep", "300").error())
        .isEqualTo("timed out after 200ms");
  }
}
