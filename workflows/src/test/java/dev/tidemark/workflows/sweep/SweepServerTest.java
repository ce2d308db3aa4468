package dev.tidemark.workflows.sweep;

import static dev.tidemark.workflows.sweep.FakeLedger.PIPELINE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.client.RequestRefused;
import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.sweep.FakeLedger.State;
import io.temporal.api.sdk.v1.WorkflowMetadata;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionDescription;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.SearchAttributeKey;
import io.temporal.common.WorkflowExecutionHistory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What the test server does differently is shown on a real one. With the system property {@code
 * tidemark.histories}, the histories made here are written to that folder, for {@link ReplayTest}.
 */
@Timeout(90)
class SweepServerTest {
  private static final String MANUAL = WorkflowIds.manual(PIPELINE);

  private static final FakeLedger ledger = new FakeLedger();
  private static final FakePartitions partitions = new FakePartitions(ledger);
  private static final TestServer server = TestServer.startReal(ledger, partitions);

  @AfterAll
  static void stop() {
    server.close();
  }

  @AfterEach
  void empty() {
    partitions.releaseAll();
    ledger.clear();
    partitions.clear();
    server.otherSide().failing.clear();
  }

  @Test
  void aSweepRunsInLanesAndItsHistoriesReplay() throws Exception {
    ledger.due(12).parallel(4);
    String request = UUID.randomUUID().toString();

    WorkflowStub sweep = server.client().startSweep(PIPELINE, null, request);
    SweepReport report = server.client().awaitSweep(sweep, Duration.ofSeconds(60));

    assertThat(report.completed()).isEqualTo(12);
    String id = WorkflowIds.sweepByHand(PIPELINE, request);
    replay("sweep", id);
    String lane = Histories.firstChild(server.temporalClient(), id);
    assertThat(lane).startsWith(id + "/lane-");
    replay("lane", lane);
  }

  @Test
  void aLaneOfTasksThatOtherSdksRunReplays() throws Exception {
    ledger.due(6).parallel(3).foreign();
    server.foreign().tasks.put("p1", FakeForeign.WORKFLOW);
    server.otherSide().failing.add("p3");
    String request = UUID.randomUUID().toString();

    WorkflowStub sweep = server.client().startSweep(PIPELINE, null, request);
    SweepReport report = server.client().awaitSweep(sweep, Duration.ofSeconds(60));

    assertThat(report.completed()).isEqualTo(6);
    assertThat(server.foreign().failures).hasSize(1);
    String lane =
        Histories.firstChild(server.temporalClient(), WorkflowIds.sweepByHand(PIPELINE, request));
    replay("lane-foreign", lane);
  }

  // A lane can be found by what it took, and says what is open
  @Test
  void aLaneIsFoundByTheRangeThatItTook() throws Exception {
    ledger.due(6).parallel(2);
    partitions.lost.add("p2");
    String request = UUID.randomUUID().toString();

    WorkflowStub sweep =
        server.client().withPartitionAttribute().startSweep(PIPELINE, null, request);
    server.client().awaitSweep(sweep, Duration.ofSeconds(60));

    String id = WorkflowIds.sweepByHand(PIPELINE, request);
    String lane = Histories.firstChild(server.temporalClient(), id);
    Eventually.holds(
        () ->
            server
                .temporalClient()
                .listExecutions(
                    "TidemarkPipeline = '%s' AND TidemarkPartition >= 'p0' AND TidemarkPartition < 'p1'"
                        .formatted(PIPELINE))
                .anyMatch(found -> found.getExecution().getWorkflowId().equals(lane)),
        () -> lane + " is found by its range");
    WorkflowExecutionDescription described =
        server.temporalClient().newUntypedWorkflowStub(lane).describe();
    assertThat(
            described
                .getTypedSearchAttributes()
                .get(SearchAttributeKey.forKeyword(WorkflowIds.PARTITION_ATTRIBUTE)))
        .isEqualTo("p0..p5");
    assertThat(described.getStaticSummary()).isEqualTo("lane of " + PIPELINE);
    assertThat(server.client().progress(id).oldest()).isEqualTo("p2");
    assertThat(details(id)).isEqualTo("done: 5 of 6 done, 1 failed, oldest p2");
    assertThat(details(lane)).isEqualTo("6 claimed, 5 done, 1 failed, 0 parked, oldest p2");
    replay("lane-partitions", lane);
  }

  /** What the Web UI shows of a run: it asks a worker. */
  private static String details(String workflowId) {
    return server
        .temporalClient()
        .newUntypedWorkflowStub(workflowId)
        .query("__temporal_workflow_metadata", WorkflowMetadata.class)
        .getCurrentDetails();
  }

  @Test
  void askedForWorkRunsAndEndsAndItsHistoryReplays() throws Exception {
    BackfillView view = server.client().requestBackfill(PIPELINE, Requests.backfill("a", 5));

    assertThat(view.partitions()).isEqualTo(5);
    assertThat(manual().completed()).isEqualTo(5);
    replay("manual", MANUAL);
  }

  @Test
  void afterARefusalTheWorkflowThatItStartedEndsByItself() {
    assertThatThrownBy(() -> server.client().requestBackfill(PIPELINE, Requests.malformed()))
        .isInstanceOf(RequestRefused.class);
    assertThat(manual().claimed()).isZero();

    assertThatThrownBy(
            () -> server.client().requestBackfill(PIPELINE, Requests.backfill("refused", 1)))
        .isInstanceOf(RequestRefused.class);
    assertThat(manual().claimed()).isZero();
  }

  @Test
  void requestsThatMeetTheEndOfTheWorkflowAreNotLost() {
    for (int i = 1; i <= 30; i++) {
      server.client().requestBackfill(PIPELINE, Requests.backfill("a", 1));
      server.client().signalBackfill(PIPELINE, Requests.backfill("b", 1));
      ledger.await(State.ENDED, 2L * i);
    }

    assertThat(ledger.requests).hasSize(60);
  }

  @Test
  void aCronWorkflowThatTookRequestsTicksAgain() {
    WorkflowStub cron =
        server
            .temporalClient()
            .newUntypedWorkflowStub(
                SweepWorkflow.TYPE,
                WorkflowOptions.newBuilder()
                    .setWorkflowId(WorkflowIds.sweep(PIPELINE))
                    .setTaskQueue(TestServer.TASK_QUEUE)
                    .setCronSchedule("@every 1s")
                    .build());
    cron.start(new SweepInput(PIPELINE, Trigger.CRON, null));
    try {
      server.signal(WorkflowIds.sweep(PIPELINE), "requestBackfill", Requests.backfill("a", 2));
      ledger.await(State.ENDED, 2);
      int plans = ledger.plans();

      Eventually.holds(() -> ledger.plans() >= plans + 2, () -> "two more ticks");

      assertThat(ledger.requests).hasSize(1);
    } finally {
      server.temporalClient().newUntypedWorkflowStub(WorkflowIds.sweep(PIPELINE)).terminate("end");
    }
  }

  @Test
  void afterFiveHundredMessagesAskedForWorkContinuesAsNew() {
    partitions.hold("p0");
    server.client().requestBackfill(PIPELINE, Requests.backfill("a", 1));
    partitions.awaitBegun(1);
    for (int i = 0; i < 500; i++) {
      server.client().wake(PIPELINE);
    }
    server.client().signalBackfill(PIPELINE, Requests.backfill("b", 1));
    // It cannot end before: a partition is held.
    Eventually.holds(
        () -> Histories.runs(server.temporalClient(), MANUAL) > 1, () -> "continued as new");
    partitions.releaseAll();

    ledger.await(State.ENDED, 2);
    assertThat(manual().remaining()).isZero();
  }

  @Test
  void aClientWithTemporalsDefaultConverterNeedsNoSetting() throws Exception {
    ledger.due(2);
    TidemarkClient other =
        new TidemarkClient(
            WorkflowClient.newInstance(server.environment().getWorkflowServiceStubs()),
            TestServer.TASK_QUEUE);

    WorkflowStub sweep = other.startSweep(PIPELINE, FakeLedger.NOW, UUID.randomUUID().toString());

    assertThat(other.awaitSweep(sweep, Duration.ofSeconds(60)).completed()).isEqualTo(2);
    assertThat(other.requestBackfill(PIPELINE, Requests.backfill("a", 1)).partitions()).isOne();
    assertThat(other.progress(sweep.getExecution().getWorkflowId()).state()).isEqualTo("done");
    manual();
  }

  private static SweepReport manual() {
    return server.temporalClient().newUntypedWorkflowStub(MANUAL).getResult(SweepReport.class);
  }

  private static void replay(String name, String workflowId) throws Exception {
    WorkflowExecutionHistory history = server.temporalClient().fetchHistory(workflowId);
    String folder = System.getProperty("tidemark.histories");
    if (folder != null) {
      Files.writeString(Path.of(folder, name + ".json"), history.toJson(true));
    }
    Histories.replay(history, SweepWorkflowImpl.class, LaneWorkflowImpl.class);
  }
}
