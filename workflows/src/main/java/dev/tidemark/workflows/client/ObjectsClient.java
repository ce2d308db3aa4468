package dev.tidemark.workflows.client;

import dev.tidemark.workflows.index.ObjectsIds;
import dev.tidemark.workflows.index.ObjectsInput;
import dev.tidemark.workflows.index.ObjectsReport;
import dev.tidemark.workflows.index.ObjectsWorkflow;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks for builds of object types, from any application. */
public final class ObjectsClient {
  private final WorkflowClient client;
  private final String taskQueue;

  /**
   * @param taskQueue where workers of Tidemark poll that can read the datasources
   */
  public ObjectsClient(WorkflowClient client, String taskQueue) {
    this.client = client;
    this.taskQueue = taskQueue;
  }

  /** Something is new in a datasource, or was asked for: look now, not at the next tick. */
  public void wake(String objectType) {
    stub(ObjectsIds.wake(objectType), objectType)
        .signalWithStart(
            "wake", new Object[] {}, new Object[] {new ObjectsInput(objectType, false, false)});
  }

  /**
   * Starts a run of the live index that a person waits for; what failed for its data is tried
   * again.
   *
   * @param requestId names the run; unique within the object type
   */
  public WorkflowStub startBuild(String objectType, String requestId) {
    WorkflowStub run = stub(ObjectsIds.build(objectType, requestId), objectType);
    run.start(new ObjectsInput(objectType, false, true));
    return run;
  }

  /** The run that builds a replacement, which the live index's runs start. */
  public WorkflowStub replacement(String objectType, int revision) {
    return client.newUntypedWorkflowStub(ObjectsIds.replacement(objectType, revision));
  }

  /**
   * Waits for the report of a run.
   *
   * @throws TimeoutException if it has not ended in time; it goes on
   */
  public ObjectsReport await(WorkflowStub run, Duration timeout) throws TimeoutException {
    return run.getResult(timeout.toMillis(), TimeUnit.MILLISECONDS, ObjectsReport.class);
  }

  private WorkflowStub stub(String id, String objectType) {
    return client.newUntypedWorkflowStub(
        ObjectsWorkflow.TYPE,
        WorkflowOptions.newBuilder()
            .setWorkflowId(id)
            .setTaskQueue(taskQueue)
            .setWorkflowIdConflictPolicy(
                WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
            // Both or none: the SDK cannot describe what has only one of them.
            .setStaticSummary("Builds of " + objectType)
            .setStaticDetails("Keeps object type " + objectType + " up to date.")
            .build());
  }
}
