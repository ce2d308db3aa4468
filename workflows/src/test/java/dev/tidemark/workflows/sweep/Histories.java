package dev.tidemark.workflows.sweep;

import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.common.WorkflowExecutionHistory;
import java.util.List;

/** Reads what happened from the histories of workflows. */
final class Histories {
  private Histories() {}

  /** How many runs the chain has: each continue-as-new adds one. */
  static int runs(WorkflowClient client, String workflowId) {
    HistoryEvent started = events(client.fetchHistory(workflowId)).get(0);
    boolean continued =
        !started
            .getWorkflowExecutionStartedEventAttributes()
            .getContinuedExecutionRunId()
            .isEmpty();
    return continued ? 2 : 1;
  }

  static int length(WorkflowClient client, String workflowId) {
    return events(client.fetchHistory(workflowId)).size();
  }

  static long count(WorkflowClient client, String workflowId, EventType type) {
    return events(client.fetchHistory(workflowId)).stream()
        .filter(event -> event.getEventType() == type)
        .count();
  }

  private static List<HistoryEvent> events(WorkflowExecutionHistory history) {
    return history.getEvents();
  }
}
