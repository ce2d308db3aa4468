package dev.tidemark.workflows.sweep;

import static dev.tidemark.workflows.sweep.FakeLedger.PIPELINE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.client.RequestRefused;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.InputChange;
import dev.tidemark.workflows.ledger.Outlook;
import dev.tidemark.workflows.ledger.Refusal;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.sweep.FakeLedger.State;
import io.temporal.client.WorkflowStub;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AskedForWorkTest {
  private static final String MANUAL = WorkflowIds.manual(PIPELINE);

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

  // c-A19
  @Test
  void aRequestIsAnsweredWithTheBackfillAndRun() {
    BackfillView view = server.client().requestBackfill(PIPELINE, Requests.backfill("a", 7));

    assertThat(view.partitions()).isEqualTo(7);
    assertThat(view.backfillId()).isNotNull();
    assertThat(manual().completed()).isEqualTo(7);
    assertThat(ledger.count(State.ENDED)).isEqualTo(7);
  }

  @Test
  void aRequestRunsOnlyWhatWasAskedFor() { // c-A4
    ledger.due(5);

    server.client().requestBackfill(PIPELINE, Requests.backfill("a", 2));
    manual();

    assertThat(ledger.count(State.DUE)).isEqualTo(5);
    assertThat(ledger.claims).extracting(ClaimRequest::scope).containsOnly(Scope.REQUESTED);
  }

  @Test
  void aRefusalSaysWhyAndTheWorkflowThatItStartedEndsByItself() {
    assertThatThrownBy(
            () -> server.client().requestBackfill(PIPELINE, Requests.backfill("refused", 1)))
        .isInstanceOfSatisfying(
            RequestRefused.class,
            refused -> {
              assertThat(refused.type()).isEqualTo(Refusal.INVALID);
              assertThat(refused).hasMessage("'refused' is not a window of daily");
            });
    assertThat(manual().claimed()).isZero();
  }

  @Test
  void aRequestWhoseShapeIsWrongNeverReachesTheLedger() {
    assertThatThrownBy(() -> server.client().requestBackfill(PIPELINE, Requests.malformed()))
        .isInstanceOfSatisfying(
            RequestRefused.class, refused -> assertThat(refused.type()).isEqualTo(Refusal.INVALID))
        .hasMessageContaining("parallel");
    assertThat(manual().claimed()).isZero();
    assertThat(ledger.requests).isEmpty();
  }

  @Test
  void aSecondRequestStartsBesideASlowPartitionOfTheFirst() { // c-A2
    partitions.hold("p0");
    server.client().requestBackfill(PIPELINE, Requests.backfill("a", 1));
    partitions.awaitBegun(1);

    server.client().requestBackfill(PIPELINE, Requests.backfill("b", 2));

    ledger.await(State.ENDED, 2);
    partitions.releaseAll();
    assertThat(manual().completed()).isEqualTo(3);
  }

  @Test
  void aSignalledRequestRunsAndOneThatIsRefusedHarmsNothing() {
    server.client().signalBackfill(PIPELINE, Requests.backfill("refused", 1));
    server.client().signalBackfill(PIPELINE, Requests.backfill("a", 3));

    ledger.await(State.ENDED, 3);
    manual();
    assertThat(ledger.requests).hasSize(2);
  }

  @Test
  void aSignalledChangeRunsWhatItMakesLateAndOneThatIsRefusedHarmsNothing() {
    server.client().changed(PIPELINE, new InputChange("refused", null, null));
    server.client().changed(PIPELINE, new InputChange("p9", null, "v2"));

    ledger.await(State.ENDED, 1);
    assertThat(manual().completed()).isEqualTo(1);
  }

  @Test
  void wakeRunsEverythingThatIsDue() {
    ledger.due(4);

    server.client().wake(PIPELINE);

    ledger.await(State.ENDED, 4);
    assertThat(manual().completed()).isEqualTo(4);
  }

  @Test
  void wakeWhileARequestRunsDoesNotWaitForIt() {
    partitions.hold("p0");
    server.client().requestBackfill(PIPELINE, Requests.backfill("a", 1));
    partitions.awaitBegun(1);
    ledger.due(3);

    server.client().wake(PIPELINE);

    ledger.await(State.ENDED, 3);
    partitions.releaseAll();
    assertThat(manual().completed()).isEqualTo(4);
  }

  @Test
  void wakeOfAPausedPipelineClaimsNothing() {
    ledger.due(4).paused();

    server.client().wake(PIPELINE);

    assertThat(manual().claimed()).isZero();
    assertThat(ledger.count(State.DUE)).isEqualTo(4);
  }

  @Test
  void aWakeWhosePlanFailsLosesNoRequest() {
    ledger.failingPlans(1000);
    server.client().wake(PIPELINE);

    server.client().requestBackfill(PIPELINE, Requests.backfill("a", 2));

    assertThat(manual().completed()).isEqualTo(2);
  }

  @Test
  void itSleepsUntilWhatWaitsIsDue() {
    Instant due = Instant.ofEpochMilli(server.environment().currentTimeMillis()).plusSeconds(1800);
    ledger.waiting(1, due);

    server.start(MANUAL, Trigger.MANUAL);

    assertThat(manual().completed()).isEqualTo(1);
    assertThat(Instant.ofEpochMilli(server.environment().currentTimeMillis()))
        .isAfterOrEqualTo(due);
  }

  @Test
  void itEndsWhereEveryOpenRequestIsPaused() { // c-C1
    ledger.outlook(new Outlook(0, 0, 0, 5, null));

    server.client().signalBackfill(PIPELINE, Requests.backfill("refused", 1));

    assertThat(manual().remaining()).isEqualTo(5);
  }

  @Test
  void aRequestThatArrivesWhileItDecidesToEndIsNotLost() {
    CountDownLatch asked = new CountDownLatch(1);
    ledger.beforeLastOutlook(
        () -> {
          server.client().signalBackfill(PIPELINE, Requests.backfill("b", 2));
          asked.countDown();
        });

    server.client().requestBackfill(PIPELINE, Requests.backfill("a", 1));

    ledger.await(State.ENDED, 3);
    assertThat(asked.getCount()).isZero();
  }

  @Test
  void aStreamOfRequestsEachRunsToItsEnd() {
    for (int i = 1; i <= 25; i++) {
      server.client().requestBackfill(PIPELINE, Requests.backfill("a", 1));
      ledger.await(State.ENDED, i);
    }

    assertThat(ledger.requests).hasSize(25);
  }

  @Test
  void aBackfillOfMoreThanALaneGoesOnUntilItIsDone() {
    ledger.parallel(50);

    server.client().requestBackfill(PIPELINE, Requests.backfill("a", 700));

    assertThat(manual().completed()).isEqualTo(700);
    assertThat(ledger.claimedByLane()).hasSizeBetween(2, 3).allMatch(claimed -> claimed <= 500);
  }

  @Test
  void afterFiveHundredMessagesItContinuesAsNewAndNothingIsLost() {
    partitions.hold("p0");
    server.client().requestBackfill(PIPELINE, Requests.backfill("a", 1));
    partitions.awaitBegun(1);
    for (int i = 0; i < 510; i++) {
      server.signal(MANUAL, "requestBackfill", Requests.backfill("b", 1));
    }
    // It cannot end before: a partition is held.
    Eventually.holds(
        () -> Histories.runs(server.temporalClient(), MANUAL) > 1, () -> "continued as new");
    partitions.releaseAll();

    ledger.await(State.ENDED, 511);
    assertThat(manual().remaining()).isZero();
    assertThat(ledger.requests).hasSize(511);
  }

  private SweepReport manual() {
    WorkflowStub manual = server.temporalClient().newUntypedWorkflowStub(MANUAL);
    return manual.getResult(SweepReport.class);
  }
}
