package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.payload.Payloads;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;

/** Temporal's in-process test server, with a worker for the fakes. */
record TestServer(TestWorkflowEnvironment environment, TidemarkClient client)
    implements AutoCloseable {
  static final String TASK_QUEUE = "tidemark";

  static TestServer start(FakeLedger ledger, FakePartitions partitions) {
    TestWorkflowEnvironment environment =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setWorkflowClientOptions(
                    WorkflowClientOptions.newBuilder()
                        .setDataConverter(Payloads.dataConverter())
                        .build())
                .build());
    environment.registerSearchAttribute(
        WorkflowIds.PIPELINE_ATTRIBUTE, IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD);
    environment.registerSearchAttribute(
        WorkflowIds.TRIGGER_ATTRIBUTE, IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD);
    Worker worker = environment.newWorker(TASK_QUEUE);
    worker.registerWorkflowImplementationTypes(SweepWorkflowImpl.class, LaneWorkflowImpl.class);
    worker.registerActivitiesImplementations(ledger, partitions);
    environment.start();
    return new TestServer(
        environment, new TidemarkClient(environment.getWorkflowClient(), TASK_QUEUE));
  }

  WorkflowClient temporal() {
    return environment.getWorkflowClient();
  }

  @Override
  public void close() {
    environment.close();
  }
}
