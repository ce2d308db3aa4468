package dev.tidemark.activities.task;

import dev.tidemark.workflows.client.ObjectsClient;
import dev.tidemark.workflows.client.TidemarkClient;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.WorkflowException;

/** Signals on the task queue of the activity that settled. */
record WakeSignals(ActivityExecutionContext activity) implements Wakes.Signals {
  @Override
  public void pipeline(String name) {
    TidemarkClient client =
        new TidemarkClient(activity.getWorkflowClient(), activity.getInfo().getActivityTaskQueue());
    try {
      client.wake(name);
    } catch (WorkflowException attributesAreUnknown) {
      // A server that does not know the search attributes refuses the start of a workflow.
      client.withoutSearchAttributes().wake(name);
    }
  }

  @Override
  public void objectType(String name) {
    new ObjectsClient(activity.getWorkflowClient(), activity.getInfo().getActivityTaskQueue())
        .wake(name);
  }
}
