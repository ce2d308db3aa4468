package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.ledger.PartitionOutcome.Kind;
import dev.tidemark.workflows.pipeline.TaskSpec;
import dev.tidemark.workflows.task.PartitionActivities;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestActivityEnvironment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The activity as Temporal calls it: its input and result cross the converter. */
class PartitionActivityTest {
  @TempDir Path folder;
  private TestLedger ledger;
  private PartitionRunner runner;
  private TestActivityEnvironment temporal;

  @BeforeEach
  void open() {
    ledger = new TestLedger(folder);
    runner = new TestWorker(ledger, folder).runner();
    temporal = TestActivityEnvironment.newInstance();
    temporal.registerActivitiesImplementations(runner);
  }

  @AfterEach
  void close() {
    temporal.close();
    runner.close();
    ledger.close();
  }

  private PartitionOutcome run(String script) throws Exception {
    TaskSpec task = new TaskSpec.Command(List.of("sh", "-c", script), Duration.ofMinutes(1));
    Claim claim = ledger.claim(ledger.register(TestPipeline.daily("sales").task(task)));
    return temporal.newActivityStub(PartitionActivities.class).run(claim);
  }

  @Test
  void returnsTheOutcome() throws Exception {
    assertThat(run("true")).isEqualTo(new PartitionOutcome(Kind.COMMITTED, null));
  }

  @Test
  void failsInAWayThatTemporalRetriesAfterThePause() {
    ActivityFailure failure = catchThrowableOfType(ActivityFailure.class, () -> run("exit 3"));

    assertThat(failure.getCause())
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            cause -> {
              assertThat(cause.getType()).isEqualTo(PartitionRunner.RETRIED);
              assertThat(cause.isNonRetryable()).isFalse();
              assertThat(cause.getNextRetryDelay()).isEqualTo(Duration.ofSeconds(10));
            });
  }
}
