package dev.tidemark.workflows.foreign;

import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.pipeline.TaskSpec;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.enums.v1.ParentClosePolicy;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.ChildWorkflowCancellationType;
import io.temporal.workflow.ChildWorkflowOptions;
import io.temporal.workflow.Workflow;
import java.time.Duration;

/** How long each part of such a partition may take, and how often Temporal tries it. */
final class ForeignPolicies {
  private static final RetryOptions ONCE = RetryOptions.newBuilder().setMaximumAttempts(1).build();
  private static final RetryOptions UNTIL_DONE =
      RetryOptions.newBuilder()
          .setInitialInterval(Duration.ofSeconds(1))
          .setMaximumInterval(Duration.ofSeconds(30))
          .build();
  private static final Duration HEARTBEAT = Duration.ofSeconds(30);
  private static final int TEXT_LENGTH = 200;

  private ForeignPolicies() {}

  /** A claim that no worker begins within a minute is given back, before its lease ends. */
  static ForeignActivities begin() {
    return Workflow.newActivityStub(
        ForeignActivities.class,
        ActivityOptions.newBuilder()
            .setScheduleToStartTimeout(Duration.ofMinutes(1))
            .setStartToCloseTimeout(Duration.ofMinutes(10))
            .setHeartbeatTimeout(HEARTBEAT)
            .setRetryOptions(UNTIL_DONE)
            .build());
  }

  static ForeignActivities publish() {
    return Workflow.newActivityStub(
        ForeignActivities.class,
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofHours(1))
            .setHeartbeatTimeout(HEARTBEAT)
            .setRetryOptions(ONCE)
            .build());
  }

  /** Short, and the same when it is done twice. */
  static ForeignActivities settle() {
    return Workflow.newActivityStub(
        ForeignActivities.class,
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofMinutes(1))
            .setRetryOptions(UNTIL_DONE)
            .build());
  }

  /** Once: another attempt has another token. Who is cancelled is not waited for. */
  static ActivityOptions activity(Claim claim, TaskSpec.Activity task) {
    return ActivityOptions.newBuilder()
        .setTaskQueue(task.taskQueue())
        .setScheduleToStartTimeout(task.startWithin())
        .setStartToCloseTimeout(task.timeout())
        .setHeartbeatTimeout(task.heartbeatWithin())
        .setCancellationType(ActivityCancellationType.TRY_CANCEL)
        .setRetryOptions(ONCE)
        .setSummary(text(claim))
        .build();
  }

  /** A lane that is ended by force takes its workflows with it: nobody would publish for them. */
  static ChildWorkflowOptions workflow(Claim claim, TaskSpec.Workflow task, long token) {
    return ChildWorkflowOptions.newBuilder()
        .setWorkflowId(workflowId(claim, token))
        .setTaskQueue(task.taskQueue())
        .setWorkflowRunTimeout(task.startWithin().plus(task.timeout()))
        .setCancellationType(ChildWorkflowCancellationType.WAIT_CANCELLATION_REQUESTED)
        .setParentClosePolicy(ParentClosePolicy.PARENT_CLOSE_POLICY_REQUEST_CANCEL)
        .setStaticSummary(text(claim))
        .build();
  }

  /** Readable, and of this attempt alone. */
  static String workflowId(Claim claim, long token) {
    String name = claim.partition() + (claim.slice().isEmpty() ? "" : "/" + claim.slice());
    return "tidemark/" + claim.pipeline() + "/" + head(name) + "/" + token;
  }

  private static String text(Claim claim) {
    return head((claim.partition() + " " + claim.slice()).strip());
  }

  private static String head(String text) {
    return text.length() <= TEXT_LENGTH ? text : text.substring(0, TEXT_LENGTH);
  }
}
