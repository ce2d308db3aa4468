package dev.tidemark.workflows.sweep;

import static dev.tidemark.workflows.sweep.FakeLedger.PIPELINE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.sweep.FakeLedger.State;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.CanceledFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LaneTest {
  private static final String LANE = "tidemark/daily/sweep/r1/lane-1";

  private final FakeLedger ledger = new FakeLedger();
  private final FakePartitions partitions = new FakePartitions(ledger);
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(ledger, partitions);
  }

  @AfterEach
  void stop() {
    partitions.releaseAll();
    server.close();
  }

  @Test
  void theWindowIsFilledAndNeverExceeded() { // c-C12
    ledger.due(60).parallel(6);
    for (int i = 0; i < 6; i++) {
      partitions.hold("p" + i);
    }
    WorkflowStub lane = lane(Scope.ALL, 6, 500, null);
    partitions.awaitBegun(6);
    partitions.releaseAll();

    assertThat(result(lane).completed()).isEqualTo(60);
    assertThat(partitions.mostAtOnce()).isEqualTo(6);
  }

  @Test
  void nothingWaitsForTheSlowest() { // B8
    ledger.due(40).parallel(4);
    CountDownLatch slowest = partitions.hold("p0");
    WorkflowStub lane = lane(Scope.ALL, 4, 500, null);

    ledger.await(State.ENDED, 39);

    slowest.countDown();
    assertThat(result(lane).completed()).isEqualTo(40);
  }

  @Test
  void itNeverClaimsMoreThanCanStart() {
    ledger.due(200).parallel(8);

    result(lane(Scope.ALL, 8, 500, null));

    assertThat(ledger.claims).extracting(ClaimRequest::want).allMatch(want -> want <= 8);
    assertThat(partitions.mostAtOnce()).isLessThanOrEqualTo(8);
  }

  @Test
  void slotsThatGetFreeTogetherAreRefilledByOneClaim() {
    ledger.due(400).parallel(40);

    result(lane(Scope.ALL, 40, 500, null));

    // At least a quarter of the window each time, but for the tail.
    assertThat(ledger.claims).hasSizeLessThan(60);
  }

  @Test
  void aWiderPolicyAppliesWithTheNextClaim() {
    ledger.due(5).parallel(5);
    for (int i = 0; i < 5; i++) {
      partitions.hold("p" + i);
    }

    WorkflowStub lane = lane(Scope.ALL, 1, 500, null);

    partitions.awaitBegun(5);
    partitions.releaseAll();
    assertThat(result(lane).completed()).isEqualTo(5);
    assertThat(ledger.claims.get(0).want()).isEqualTo(1);
  }

  @Test
  void afterAShortClaimItClaimsAgainOnlyWhenSomethingEnded() {
    ledger.due(2).parallel(4);
    partitions.hold("p0");
    partitions.hold("p1");
    WorkflowStub lane = lane(Scope.ALL, 4, 500, null);
    partitions.awaitBegun(2);
    int claims = ledger.claims.size();
    ledger.due(1);

    partitions.hold("p0").countDown();

    ledger.await(State.ENDED, 2);
    assertThat(claims).isEqualTo(1);
    partitions.releaseAll();
    assertThat(result(lane).completed()).isEqualTo(3);
  }

  @Test
  void toldToLookItClaimsBesideWhatRuns() { // c-A2
    ledger.due(1).parallel(4);
    partitions.hold("p0");
    WorkflowStub lane = lane(Scope.ALL, 4, 500, null);
    partitions.awaitBegun(1);
    ledger.due(1);

    lane.signal("look");

    ledger.await(State.ENDED, 1);
    partitions.releaseAll();
    assertThat(result(lane).completed()).isEqualTo(2);
  }

  @Test
  void aPartitionWhoseActivityFailsIsSettledByTheLane() { // B9, c-B14
    ledger.due(5);
    partitions.lost.add("p2");

    LaneProgress result = result(lane(Scope.ALL, 4, 500, null));

    assertThat(ledger.timeouts).singleElement().matches(claim -> claim.partition().equals("p2"));
    assertThat(result).isEqualTo(new LaneProgress(LANE, 5, 4, 1, 0, 0, false, "p2"));
  }

  @Test
  void itStopsAtItsBoundAndSaysThatItIsFull() {
    ledger.due(20);

    LaneProgress result = result(lane(Scope.ALL, 4, 7, null));

    assertThat(result).isEqualTo(new LaneProgress(LANE, 7, 7, 0, 0, 0, true));
    assertThat(ledger.count(State.DUE)).isEqualTo(13);
  }

  @Test
  void afterItsDeadlineItClaimsNothing() {
    ledger.due(3);

    LaneProgress result = result(lane(Scope.ALL, 4, 500, Instant.EPOCH));

    assertThat(result.claimed()).isZero();
    assertThat(ledger.claims).isEmpty();
  }

  @Test
  void onlyWhatWasAskedForIsClaimedInThatScope() {
    ledger.due(3).requested(2);

    assertThat(result(lane(Scope.REQUESTED, 4, 500, null)).completed()).isEqualTo(2);
    assertThat(ledger.count(State.DUE)).isEqualTo(3);
  }

  @Test
  void eachClaimHasAnIdOfItsOwnUnderTheRunOfItsLane() {
    ledger.due(30);

    result(lane(Scope.ALL, 4, 500, null));

    assertThat(ledger.claims)
        .extracting(ClaimRequest::requestId)
        .doesNotHaveDuplicates()
        .allMatch(id -> id.matches("[0-9a-f-]{36}/\\d+"));
  }

  @Test
  void aCancelledLaneClaimsNoMoreAndDrains() { // c-C1
    ledger.due(10).parallel(2);
    partitions.hold("p0");
    partitions.hold("p1");
    WorkflowStub lane = lane(Scope.ALL, 2, 500, null);
    partitions.awaitBegun(2);

    lane.cancel();
    partitions.releaseAll();

    assertThatThrownBy(() -> result(lane)).hasCauseInstanceOf(CanceledFailure.class);
    assertThat(ledger.count(State.ENDED)).isEqualTo(2);
    assertThat(ledger.count(State.DUE)).isEqualTo(8);
  }

  @Test
  void aClaimThatFailsForAWhileIsTriedAgain() {
    ledger.due(3).failingClaims(4);

    assertThat(result(lane(Scope.ALL, 4, 500, null)).completed()).isEqualTo(3);
  }

  // The lease of a claim is 90 seconds, and its partitions have 60 to begin.
  @Test
  void aClaimWhoseWorkerDiedIsAskedForAgainWhileItsLeaseIsLongEnough() { // c-B4
    ledger.due(1);

    assertThat(result(lane(Scope.ALL, 4, 500, null)).completed()).isEqualTo(1);
    assertThat(ledger.claimTimeout()).isPositive().isLessThan(Duration.ofSeconds(30));
  }

  @Test
  void aLaneOfAPipelineThatIsGoneEnds() { // c-C20
    ledger.due(3).removed();

    assertThat(result(lane(Scope.ALL, 4, 500, null)).claimed()).isZero();
  }

  @Test
  void aFullLaneStaysFarBelowTheLimitsOfAHistory() {
    ledger.due(600).parallel(20);

    result(lane(Scope.ALL, 20, LaneWorkflow.MAX_CLAIMS, null));

    long activities =
        Histories.count(
            server.temporalClient(), LANE, EventType.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED);
    // One for each partition: claims need no task of their own.
    assertThat(activities).isEqualTo(500);
    assertThat(Histories.length(server.temporalClient(), LANE)).isLessThan(4096);
  }

  private WorkflowStub lane(Scope scope, int parallel, int maxClaims, @Nullable Instant deadline) {
    WorkflowStub lane =
        server
            .temporalClient()
            .newUntypedWorkflowStub(
                LaneWorkflow.TYPE,
                WorkflowOptions.newBuilder()
                    .setWorkflowId(LANE)
                    .setTaskQueue(TestServer.TASK_QUEUE)
                    .build());
    lane.start(new LaneInput(PIPELINE, scope, null, parallel, maxClaims, deadline, null));
    return lane;
  }

  private static LaneProgress result(WorkflowStub lane) {
    return lane.getResult(LaneProgress.class);
  }
}
