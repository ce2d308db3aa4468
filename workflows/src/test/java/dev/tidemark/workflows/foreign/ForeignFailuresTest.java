package dev.tidemark.workflows.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.foreign.ForeignFailure.Kind;
import dev.tidemark.workflows.pipeline.TaskSpec;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.RetryState;
import io.temporal.api.enums.v1.TimeoutType;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.ChildWorkflowFailure;
import io.temporal.failure.TerminatedFailure;
import io.temporal.failure.TimeoutFailure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ForeignFailuresTest {
  private static final TaskSpec.Foreign ACTIVITY =
      new TaskSpec.Activity(
          "T", "python", Duration.ofMinutes(10), Duration.ofMinutes(1), Duration.ofHours(1));
  private static final TaskSpec.Foreign WORKFLOW =
      new TaskSpec.Workflow("T", "python", Duration.ofMinutes(10), Duration.ofHours(1));

  @Test
  void anErrorIsAFailureWithItsTypeAndMessage() {
    assertThat(of(ApplicationFailure.newFailure("no such file", "IOError")))
        .isEqualTo(new ForeignFailure(Kind.FAILED, "IOError: no such file"));
  }

  // As exit codes 65 and 75 of a command
  @Test
  void typesOfFailuresSayWhatTheyMean() {
    assertThat(of(ApplicationFailure.newFailure("x", ForeignFailure.BAD_DATA)).kind())
        .isEqualTo(Kind.BAD_DATA);
    assertThat(of(ApplicationFailure.newNonRetryableFailure("x", "Whatever")).kind())
        .isEqualTo(Kind.BAD_DATA);
    assertThat(of(ApplicationFailure.newNonRetryableFailure("x", ForeignFailure.NOT_READY)).kind())
        .isEqualTo(Kind.NOT_READY);
  }

  @Test
  void timeoutsAreToldApart() {
    assertThat(timeout(TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START))
        .matches(failure -> failure.kind() == Kind.NO_WORKER)
        .matches(failure -> failure.error().contains("'python' within PT10M"));
    assertThat(timeout(TimeoutType.TIMEOUT_TYPE_HEARTBEAT).kind()).isEqualTo(Kind.LOST);
    assertThat(timeout(TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE))
        .isEqualTo(new ForeignFailure(Kind.FAILED, "timed out after PT1H"));
  }

  @Test
  void whatIsCancelledOrCutOffByAShutdownIsGivenBack() {
    assertThat(of(new CanceledFailure("enough")).kind()).isEqualTo(Kind.CANCELLED);
    assertThat(of(ApplicationFailure.newFailure("late", "WorkerShutdown")).kind())
        .isEqualTo(Kind.CANCELLED);
  }

  // What fails in the workflow is its own affair, a worker of its activities too.
  @Test
  void aWorkflowFailsWithWhatFailedInIt() {
    ApplicationFailure cause = ApplicationFailure.newFailure("bad row", ForeignFailure.BAD_DATA);
    TimeoutFailure silent = new TimeoutFailure("x", null, TimeoutType.TIMEOUT_TYPE_HEARTBEAT);

    assertThat(ForeignFailures.of(WORKFLOW, child(activity(cause))).kind())
        .isEqualTo(Kind.BAD_DATA);
    assertThat(ForeignFailures.of(WORKFLOW, child(activity(silent))).kind()).isEqualTo(Kind.FAILED);
    assertThat(ForeignFailures.of(WORKFLOW, child(new TerminatedFailure("x", null))).error())
        .isEqualTo("its workflow was terminated");
  }

  @Test
  void anErrorIsBounded() {
    assertThat(of(ApplicationFailure.newFailure("x".repeat(1 << 20), "E")).error())
        .hasSize(4 * 1024);
  }

  private static ForeignFailure timeout(TimeoutType type) {
    return of(new TimeoutFailure("x", null, type));
  }

  private static ForeignFailure of(Throwable cause) {
    return ForeignFailures.of(ACTIVITY, activity(cause));
  }

  private static ActivityFailure activity(Throwable cause) {
    return new ActivityFailure(
        "failed", 5, 6, "T", "1", RetryState.RETRY_STATE_MAXIMUM_ATTEMPTS_REACHED, "w", cause);
  }

  private static ChildWorkflowFailure child(Throwable cause) {
    return new ChildWorkflowFailure(
        5,
        6,
        "T",
        WorkflowExecution.getDefaultInstance(),
        "default",
        RetryState.RETRY_STATE_RETRY_POLICY_NOT_SET,
        cause);
  }
}
