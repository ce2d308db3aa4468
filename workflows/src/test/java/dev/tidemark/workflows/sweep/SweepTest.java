package dev.tidemark.workflows.sweep;

import static dev.tidemark.workflows.sweep.FakeLedger.NOW;
import static dev.tidemark.workflows.sweep.FakeLedger.PIPELINE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.sweep.FakeLedger.State;
import io.temporal.client.WorkflowFailedException;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.CanceledFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SweepTest {
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
  void runsEverythingThatIsDueAndReports() throws Exception { // B4
    ledger.due(10);

    assertThat(sweepByHand()).isEqualTo(new SweepReport(PIPELINE, NOW, 10, 10, 10, 0, 0, false));
  }

  @Test
  void whereNothingIsDueNoLaneStartsAndNothingIsClaimed() throws Exception { // c-D3
    SweepReport report = sweepByHand();

    assertThat(report).isEqualTo(new SweepReport(PIPELINE, NOW, 0, 0, 0, 0, 0, false));
    assertThat(ledger.claims).isEmpty();
  }

  @Test
  void aPausedPipelineIsReportedAndNothingIsClaimed() throws Exception {
    ledger.due(3).paused();

    assertThat(sweepByHand()).isEqualTo(new SweepReport(PIPELINE, NOW, 3, 0, 0, 0, 3, true));
    assertThat(ledger.claims).isEmpty();
  }

  @Test
  void aNowGivenByHandReachesThePlanEachClaimAndTheReport() throws Exception { // A7
    Instant now = Instant.parse("2026-01-02T03:04:05Z");
    ledger.due(6);

    WorkflowStub sweep = server.client().startSweep(PIPELINE, now, "r1");
    SweepReport report = server.client().awaitSweep(sweep, Duration.ofSeconds(50));

    assertThat(report.now()).isEqualTo(now);
    assertThat(ledger.claims).isNotEmpty().allMatch(claim -> now.equals(claim.now()));
  }

  @Test
  void aLaneClaimsFiveHundredAndTheNextOneGoesOn() throws Exception {
    ledger.due(1200).parallel(50);

    SweepReport report = sweepByHand();

    assertThat(report.completed()).isEqualTo(1200);
    assertThat(ledger.claimedByLane()).hasSize(3).allMatch(claimed -> claimed <= 500);
  }

  @Test
  void aFullLaneThatHoldsEverySlotWhileItDrainsDoesNotEndTheSweep() throws Exception {
    ledger.due(520).parallel(10);
    for (int i = 490; i < 500; i++) {
      partitions.hold("p" + i);
    }
    WorkflowStub sweep = server.client().startSweep(PIPELINE, null, "r1");
    ledger.await(State.ENDED, 490);
    partitions.awaitBegun(500);

    partitions.releaseAll();

    assertThat(server.client().awaitSweep(sweep, Duration.ofSeconds(50)).completed())
        .isEqualTo(520);
  }

  @Test
  void theBudgetOfPartitionsBoundsTheSweep() throws Exception { // A31, B10
    ledger.due(30).limits(12, 3600);

    SweepReport report = sweepByHand();

    assertThat(report.claimed()).isEqualTo(12);
    assertThat(report.remaining()).isEqualTo(18);
    assertThat(ledger.count(State.DUE)).isEqualTo(18);
  }

  @Test
  void aFailingPartitionFailsNeitherTheOthersNorTheSweep() throws Exception { // c-B19
    ledger.due(20);
    partitions.failing.add("p0");

    SweepReport report = sweepByHand();

    assertThat(report.completed()).isEqualTo(19);
    assertThat(report.failed()).isEqualTo(1);
  }

  @Test
  void aScheduledSweepEndsAtItsDurationLimitAndItsPartitionsGoOn() throws Exception { // A26, B8
    ledger.due(20).limits(100, 3);
    CountDownLatch slow = partitions.hold("p1");

    SweepReport report = runSweep(Trigger.SCHEDULE, "tidemark/daily/sweep-1");

    assertThat(report.completed()).isEqualTo(19);
    assertThat(report.claimed()).isEqualTo(20);
    assertThat(ledger.count(State.LIVE)).isEqualTo(1);
    slow.countDown();
    ledger.await(State.ENDED, 20);
  }

  @Test
  void afterTheDurationLimitNothingIsClaimed() throws Exception {
    ledger.due(8).parallel(2).limits(100, 1);
    partitions.hold("p0");
    partitions.hold("p1");

    runSweep(Trigger.CRON, "tidemark/daily/sweep");
    partitions.releaseAll();
    ledger.await(State.ENDED, 2);

    assertThat(ledger.count(State.DUE)).isEqualTo(6);
  }

  @Test
  void byHandItWaitsForWhatItStartedEvenBeyondTheDurationLimit() throws Exception {
    ledger.due(4).limits(100, 1);
    CountDownLatch slow = partitions.hold("p0");
    WorkflowStub sweep = server.client().startSweep(PIPELINE, null, "r1");
    ledger.await(State.ENDED, 3);
    assertThatThrownBy(() -> server.client().awaitSweep(sweep, Duration.ofSeconds(2)))
        .isInstanceOf(TimeoutException.class);

    slow.countDown();

    assertThat(server.client().awaitSweep(sweep, Duration.ofSeconds(50)).completed()).isEqualTo(4);
  }

  @Test
  void aPlanThatFailsForAWhileIsTriedAgain() throws Exception {
    ledger.due(2).failingPlans(3);

    assertThat(sweepByHand().completed()).isEqualTo(2);
  }

  @Test
  void aPlanThatKeepsFailingFailsTheSweep() {
    ledger.due(2).failingPlans(1000);

    assertThatThrownBy(this::sweepByHand).isInstanceOf(WorkflowFailedException.class);
    assertThat(ledger.claims).isEmpty();
  }

  @Test
  void theSameRequestFindsTheSameSweep() throws Exception {
    ledger.due(1);
    CountDownLatch held = partitions.hold("p0");

    WorkflowStub first = server.client().startSweep(PIPELINE, null, "r1");
    WorkflowStub second = server.client().startSweep(PIPELINE, null, "r1");
    held.countDown();

    assertThat(second.getExecution()).isEqualTo(first.getExecution());
  }

  @Test
  void aCancelledSweepClaimsNoMoreAndWhatRunsFinishes() throws Exception { // c-C1
    ledger.due(10).parallel(2);
    partitions.hold("p0");
    partitions.hold("p1");
    WorkflowStub sweep = server.client().startSweep(PIPELINE, null, "r1");
    partitions.awaitBegun(2);

    sweep.cancel();

    assertThatThrownBy(() -> sweep.getResult(SweepReport.class))
        .hasCauseInstanceOf(CanceledFailure.class);
    partitions.releaseAll();
    ledger.await(State.ENDED, 2);
    assertThat(ledger.count(State.DUE)).isEqualTo(8);
  }

  @Test
  void aCronWorkflowTakesRequestsAndNeverContinuesAsNew() throws Exception {
    ledger.due(1);
    CountDownLatch held = partitions.hold("p0");
    WorkflowStub cron = server.start("tidemark/daily/sweep", Trigger.CRON);
    partitions.awaitBegun(1);
    for (int i = 0; i < 505; i++) {
      cron.signal("requestBackfill", Requests.backfill("refused", 0));
    }
    BackfillView view =
        cron.update("requestBackfill", BackfillView.class, Requests.backfill("a", 3));
    held.countDown();
    ledger.await(State.ENDED, 4);

    assertThat(view.partitions()).isEqualTo(3);
    assertThat(cron.getResult(SweepReport.class).completed()).isGreaterThanOrEqualTo(1);
    assertThat(Histories.runs(server.temporalClient(), "tidemark/daily/sweep")).isEqualTo(1);
  }

  @Test
  void progressCountsCommits() throws Exception {
    ledger.due(5);
    CountDownLatch held = partitions.hold("p4");
    WorkflowStub sweep = server.client().startSweep(PIPELINE, null, "r1");
    held.countDown();
    server.client().awaitSweep(sweep, Duration.ofSeconds(50));

    assertThat(server.client().progress(sweep.getExecution().getWorkflowId()))
        .isEqualTo(new Progress(PIPELINE, "done", 5, 5, 5, 0));
  }

  private SweepReport sweepByHand() throws Exception {
    WorkflowStub sweep = server.client().startSweep(PIPELINE, null, "r1");
    return server.client().awaitSweep(sweep, Duration.ofSeconds(50));
  }

  private SweepReport runSweep(Trigger trigger, String id) {
    return server.start(id, trigger).getResult(SweepReport.class);
  }
}
