package dev.tidemark.worker.process;

import io.temporal.client.WorkflowClient;
import javax.sql.DataSource;

/** The object graph of a worker, started. */
public final class TidemarkWorker implements AutoCloseable {
  private TidemarkWorker() {}

  /** Registers workflows and activities on the task queue, and starts to poll it. */
  public static TidemarkWorker start(
      WorkflowClient client, DataSource ledger, WorkerOptionsOfTidemark options) {
    throw new UnsupportedOperationException("to be built");
  }

  /** Graceful: partitions in flight finish or hand over, within the grace. */
  @Override
  public void close() {
    throw new UnsupportedOperationException("to be built");
  }
}
