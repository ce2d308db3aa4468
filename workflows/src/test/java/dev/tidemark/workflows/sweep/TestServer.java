package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.payload.Payloads;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.testing.TemporalDevServerOptions;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A Temporal server, with a worker for the fakes: in this process, or a real one. */
record TestServer(
    TestWorkflowEnvironment environment,
    TidemarkClient client,
    FakeForeign foreign,
    OtherSide.Tasks otherSide)
    implements AutoCloseable {
  static final String TASK_QUEUE = "tidemark";

  private static final TestEnvironmentOptions OPTIONS =
      TestEnvironmentOptions.newBuilder()
          .setWorkflowClientOptions(
              WorkflowClientOptions.newBuilder().setDataConverter(Payloads.dataConverter()).build())
          .build();

  static TestServer start(FakeLedger ledger, FakePartitions partitions) {
    return start(TestWorkflowEnvironment.newInstance(OPTIONS), ledger, partitions);
  }

  /**
   * A real server: the {@code temporal} that the environment variable or system property {@code
   * TIDEMARK_TEMPORAL} names, else the one on the PATH.
   */
  static TestServer startReal(FakeLedger ledger, FakePartitions partitions) {
    TemporalDevServerOptions server =
        TemporalDevServerOptions.newBuilder()
            .setExistingPath(temporal().toString())
            .setDownloadEnabled(false)
            .setLogLevel("error")
            // Its greeting on standard output would disturb the build that runs the tests.
            .setLogFile(
                "target/temporal-server-" + System.getProperty("test.process", "0") + ".log")
            .setExtraArgs(
                "--sqlite-pragma", "journal_mode=WAL", "--sqlite-pragma", "synchronous=OFF")
            .build();
    return start(TestWorkflowEnvironment.startLocal(OPTIONS, server), ledger, partitions);
  }

  private static Path temporal() {
    String named =
        System.getProperty("TIDEMARK_TEMPORAL", System.getenv().get("TIDEMARK_TEMPORAL"));
    if (named != null) {
      return Path.of(named);
    }
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, "temporal"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    "these tests need a real Temporal server: put the program 'temporal' on the"
                        + " PATH, or name it in TIDEMARK_TEMPORAL"));
  }

  private static TestServer start(
      TestWorkflowEnvironment environment, FakeLedger ledger, FakePartitions partitions) {
    environment.registerSearchAttribute(
        WorkflowIds.PIPELINE_ATTRIBUTE, IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD);
    environment.registerSearchAttribute(
        WorkflowIds.TRIGGER_ATTRIBUTE, IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD);
    environment.registerSearchAttribute(
        WorkflowIds.PARTITION_ATTRIBUTE, IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD);
    Worker worker = environment.newWorker(TASK_QUEUE);
    worker.registerWorkflowImplementationTypes(SweepWorkflowImpl.class, LaneWorkflowImpl.class);
    FakeForeign foreign = new FakeForeign(ledger);
    worker.registerActivitiesImplementations(ledger, partitions, foreign);
    OtherSide.Tasks otherSide = new OtherSide.Tasks();
    Worker elsewhere = environment.newWorker(OtherSide.TASK_QUEUE);
    elsewhere.registerActivitiesImplementations(otherSide);
    elsewhere.registerWorkflowImplementationTypes(OtherSide.FlowImpl.class);
    environment.start();
    return new TestServer(
        environment,
        new TidemarkClient(environment.getWorkflowClient(), TASK_QUEUE),
        foreign,
        otherSide);
  }

  WorkflowClient temporalClient() {
    return environment.getWorkflowClient();
  }

  /** Starts a sweep as a schedule, a cron workflow or another client would. */
  WorkflowStub start(String workflowId, Trigger trigger) {
    WorkflowStub sweep =
        temporalClient()
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
    temporalClient().newUntypedWorkflowStub(workflowId).signal(name, argument);
  }

  @Override
  public void close() {
    environment.close();
  }
}
