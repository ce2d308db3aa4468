package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.payload.Payloads;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
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

  /** Starts a sweep as a schedule, a cron workflow or another client would. */
  WorkflowStub start(String workflowId, Trigger trigger) {
    WorkflowStub sweep =
        temporal()
            .newUntypedWorkflowStub(
                SweepWorkflow.TYPE,
                WorkflowOptions.newBuilder()
                    .setWorkflowId(workflowId)
                    .setTaskQueue(TASK_QUEUE)
                    .build());
    sweep.start(new SweepInput(FakeLedger.PIPELINE, trigger, null));
    return sweep;
  }

  void signal(String workflowId, String name, Object argument) {
    temporal().newUntypedWorkflowStub(workflowId).signal(name, argument);
  }

  @Override
  public void close() {
    environment.close();
  }
}
