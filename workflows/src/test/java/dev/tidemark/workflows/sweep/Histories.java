package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.payload.Payloads;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.testing.WorkflowReplayer;
import io.temporal.worker.Worker;
import java.util.List;

/** Reads what happened from the histories of workflows. */
final class Histories {
  private Histories() {}

  /** How many runs the chain has, told apart as one and more. */
  static int runs(WorkflowClient client, String workflowId) {
    HistoryEvent started = events(client, workflowId).get(0);
    return started
            .getWorkflowExecutionStartedEventAttributes()
            .getContinuedExecutionRunId()
            .isEmpty()
        ? 1
        : 2;
  }

  static int length(WorkflowClient client, String workflowId) {
    return events(client, workflowId).size();
  }

  static long count(WorkflowClient client, String workflowId, EventType type) {
    return events(client, workflowId).stream()
        .filter(event -> event.getEventType() == type)
        .count();
  }

  /** The workflow id of the first child that it started. */
  static String firstChild(WorkflowClient client, String workflowId) {
    return events(client, workflowId).stream()
        .filter(HistoryEvent::hasStartChildWorkflowExecutionInitiatedEventAttributes)
        .map(event -> event.getStartChildWorkflowExecutionInitiatedEventAttributes())
        .map(child -> child.getWorkflowId())
        .findFirst()
        .orElseThrow(() -> new AssertionError(workflowId + " started no child"));
  }

  /** Runs the code against the history, and throws where they differ. */
  static void replay(WorkflowExecutionHistory history, Class<?>... implementations)
      throws Exception {
    TestEnvironmentOptions options =
        TestEnvironmentOptions.newBuilder()
            .setWorkflowClientOptions(
                WorkflowClientOptions.newBuilder()
                    .setDataConverter(Payloads.dataConverter())
                    .build())
            .build();
    try (TestWorkflowEnvironment environment = TestWorkflowEnvironment.newInstance(options)) {
      Worker worker = environment.newWorker(TestServer.TASK_QUEUE);
      worker.registerWorkflowImplementationTypes(implementations);
      WorkflowReplayer.replayWorkflowExecution(history, worker);
    }
  }

  private static List<HistoryEvent> events(WorkflowClient client, String workflowId) {
    return client.fetchHistory(workflowId).getEvents();
  }
}
