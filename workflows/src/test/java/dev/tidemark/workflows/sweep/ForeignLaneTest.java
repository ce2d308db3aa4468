package dev.tidemark.workflows.sweep;

import static dev.tidemark.workflows.sweep.FakeLedger.PIPELINE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.workflows.foreign.ForeignFailure;
import dev.tidemark.workflows.foreign.ForeignFailure.Kind;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.pipeline.TaskSpec;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.CanceledFailure;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A lane whose tasks are run by another worker. */
@Timeout(60)
class ForeignLaneTest {
  private static final String LANE = "tidemark/daily/sweep/r1/lane-1";

  private final FakeLedger ledger = new FakeLedger().foreign();
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(ledger, new FakePartitions(ledger));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void bothKindsRunElsewhereAndArePublishedHere() {
    ledger.due(12).parallel(3);
    for (int i = 4; i < 8; i++) {
      server.foreign().tasks.put("p" + i, FakeForeign.WORKFLOW);
    }

    assertThat(result(lane(3)).completed()).isEqualTo(12);
    assertThat(server.foreign().published).hasSize(12).doesNotHaveDuplicates();
    assertThat(ledger.claims).allMatch(claim -> claim.want() <= 3);
    assertThat(
            Histories.count(
                server.temporalClient(),
                LANE,
                EventType.EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_COMPLETED))
        .isEqualTo(4);
  }

  @Test
  void afterAFailureAnotherAttemptHasAnotherToken() {
    ledger.due(1);
    server.otherSide().failing.add("p0");

    assertThat(result(lane(1)).completed()).isOne();
    assertThat(server.foreign().failures)
        .containsExactly(new ForeignFailure(Kind.FAILED, "IOError: cannot read it"));
    assertThat(server.foreign().published).containsExactly(2L);
  }

  @Test
  void aTaskThatNoWorkerTakesIsSaidToHaveNone() {
    ledger.due(1);
    server
        .foreign()
        .tasks
        .put(
            "p0",
            new TaskSpec.Activity(
                OtherSide.TYPE,
                "nobody",
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                Duration.ofHours(1)));

    assertThat(result(lane(1)).failed()).isOne();
    assertThat(server.foreign().failures)
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.kind()).isEqualTo(Kind.NO_WORKER);
              assertThat(failure.error()).contains("task queue 'nobody' within PT1S");
            });
  }

  @Test
  void aWorkflowThatNoWorkerTakesIsGivenUp() {
    ledger.due(10).parallel(10);
    TaskSpec.Foreign forgotten =
        new TaskSpec.Workflow("T", "nobody", Duration.ofSeconds(1), Duration.ofHours(9));
    server.foreign().tasks.put("p9", forgotten);

    assertThat(result(lane(10)).completed()).isEqualTo(9);
    assertThat(server.foreign().failures)
        .singleElement()
        .matches(failure -> failure.kind() == Kind.NO_WORKER);
  }

  // Invariant 2
  @Test
  void aTaskWhoseClaimWasEndedIsCancelled() {
    ledger.due(3);
    server.foreign().tasks.put("p2", FakeForeign.WORKFLOW);
    server.foreign().ended.add("p2");

    LaneProgress result = result(lane(3));

    assertThat(result.completed()).isEqualTo(2);
    assertThat(server.foreign().failures)
        .containsExactly(new ForeignFailure(Kind.CANCELLED, "cancelled"));
    Eventually.holds(
        () ->
            server
                    .temporalClient()
                    .newUntypedWorkflowStub("tidemark/daily/p2/" + token())
                    .describe()
                    .getStatus()
                == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED,
        () -> "the workflow of p2 is cancelled");
  }

  private long token() {
    return 6 - server.foreign().published.stream().mapToLong(Long::longValue).sum();
  }

  // A45: nobody knows how far it got, so that nobody publishes under its token again
  @Test
  void anAttemptWhoseWorkerIsLostWhilePublishingIsSettledByTheLane() {
    ledger.due(2);
    server.foreign().lostPublishing.add("p1");

    assertThat(result(lane(2)).completed()).isOne();
    assertThat(ledger.timeouts).singleElement().matches(claim -> claim.partition().equals("p1"));
  }

  @Test
  void aCancelledLaneStillPublishesWhatRuns() { // c-C1
    ledger.due(3).parallel(1);
    server.foreign().tasks.put("p0", FakeForeign.WORKFLOW);
    WorkflowStub lane = lane(1);
    ledger.await(FakeLedger.State.LIVE, 1);

    lane.cancel();

    assertThatThrownBy(() -> result(lane)).hasCauseInstanceOf(CanceledFailure.class);
    assertThat(server.foreign().published).isNotEmpty().hasSameSizeAs(ledger.claims);
    assertThat(ledger.timeouts).isEmpty();
  }

  private WorkflowStub lane(int parallel) {
    WorkflowStub lane =
        server
            .temporalClient()
            .newUntypedWorkflowStub(
                LaneWorkflow.TYPE,
                WorkflowOptions.newBuilder()
                    .setWorkflowId(LANE)
                    .setTaskQueue(TestServer.TASK_QUEUE)
                    .build());
    lane.start(new LaneInput(PIPELINE, Scope.ALL, null, parallel, 500, null, null));
    return lane;
  }

  private static LaneProgress result(WorkflowStub lane) {
    return lane.getResult(LaneProgress.class);
  }
}
