package dev.tidemark.worker.process;

import dev.tidemark.activities.ledger.RegisteredPipeline;
import io.temporal.client.WorkflowClient;
import java.util.List;

/**
 * The Temporal Schedule, or cron workflow, of each pipeline: idempotent, and as it is in Temporal.
 */
public final class PipelineSchedules {
  private final WorkflowClient client;
  private final String taskQueue;

  public PipelineSchedules(WorkflowClient client, String taskQueue) {
    this.client = client;
    this.taskQueue = taskQueue;
  }

  /** Creates or updates what wakes the pipeline, and removes the other kind. */
  public void apply(RegisteredPipeline pipeline) {
    throw new UnsupportedOperationException("to be built " + client + taskQueue);
  }

  /** Removes whatever wakes it; a sweep that runs goes on. */
  public void remove(String pipeline) {
    throw new UnsupportedOperationException("to be built");
  }

  /** Pauses it in Temporal. Returns whether it was there and running. */
  public boolean pause(String pipeline, String reason) {
    throw new UnsupportedOperationException("to be built");
  }

  /** Lets it go on. Returns whether it was there and paused. */
  public boolean resume(String pipeline, String reason) {
    throw new UnsupportedOperationException("to be built");
  }

  /** Those of this task queue, by pipeline. */
  public List<ScheduleView> list() {
    throw new UnsupportedOperationException("to be built");
  }
}
