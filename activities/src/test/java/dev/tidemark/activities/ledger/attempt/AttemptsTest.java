package dev.tidemark.activities.ledger.attempt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.Interventions;
import dev.tidemark.activities.ledger.Ledger;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Pipelines;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome.Kind;
import dev.tidemark.workflows.partition.Slice;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Begin, renew and settle. */
final class AttemptsTest {
  private static final String NOW = "2026-01-02T00:00:00Z";
  private static final String DAY = "2026-01-01";
  private static LedgerTestDatabase database;
  private static Ledger ledger;
  private static Attempts attempts;

  @BeforeAll
  static void open() {
    database = LedgerTestDatabase.create();
    ledger = new Ledger(database);
    attempts = ledger.attempts;
  }

  @AfterAll
  static void close() {
    database.close();
  }

  private static RegisteredPipeline oneDay(String name) {
    return ledger.ready(Pipelines.daily(name).retry(2, 2), NOW);
  }

  private static Claim claim(RegisteredPipeline pipeline) {
    return ledger.claim(pipeline, NOW, 1).get(0);
  }

  private static Kind kind(Settlement settlement) {
    return ((Settlement.Ended) settlement).outcome().kind();
  }

  private static Kind kind(Begin begin) {
    return ((Begin.Ended) begin).outcome().kind();
  }

  // Invariant 2; c-B6, c-B13, A-g1
  @Test
  void onlyTheNewestOfTwoAttemptsOfOneClaimSettles() {
    var pipeline = oneDay("two-attempts");
    Claim claim = claim(pipeline);
    long first = ledger.begin(claim, 1).token();
    long second = ledger.begin(claim, 2).token();

    assertThat(second).isGreaterThan(first);
    assertThat(attempts.holds(first)).isFalse();
    assertThat(attempts.intend(first, "{}")).isFalse();
    assertThat(kind(attempts.commit(first, Ledger.NOTHING, null))).isEqualTo(Kind.RELEASED);
    assertThat(ledger.row(pipeline, DAY))
        .containsEntry("state", "running")
        .containsEntry("lost", "1");
    assertThat(kind(attempts.commit(second, Ledger.NOTHING, null))).isEqualTo(Kind.COMMITTED);
    assertThat(ledger.row(pipeline, DAY))
        .containsEntry("state", "completed")
        .containsEntry("lost", "0");
    assertThat(ledger.query("select outcome from tidemark.attempt where token = " + first))
        .isEqualTo("superseded");
  }

  @Test
  void anEarlierAttemptCannotBeginAfterALaterOne() {
    Claim claim = claim(oneDay("late-begin"));
    ledger.begin(claim, 2);

    assertThat(kind(attempts.begin(claim, 1, "slow"))).isEqualTo(Kind.RELEASED);
  }

  // A45, A46
  @Test
  void aBeginAfterTheCommitReturnsTheRecordedOutcome() {
    Claim claim = claim(oneDay("committed-before"));
    long token = ledger.begin(claim).token();
    attempts.commit(token, Ledger.NOTHING, null);

    assertThat(kind(attempts.begin(claim, 2, "worker"))).isEqualTo(Kind.COMMITTED);
    assertThat(kind(attempts.commit(token, Ledger.NOTHING, null))).isEqualTo(Kind.COMMITTED);
  }

  // c-B4, c-B15, B9
  @Test
  void aLapsedClaimIsTakenAgainAndItsOldAttemptIsRefusedOnceAnotherBegins() {
    var pipeline = oneDay("lapsed");
    long old = ledger.begin(claim(pipeline)).token();
    ledger.pass(pipeline, "61 seconds");

    Claim again = claim(pipeline);
    assertThat(attempts.holds(old)).isFalse();
    assertThat(attempts.renew(Set.of(old))).isEmpty();
    long token = ledger.begin(again).token();
    assertThat(kind(attempts.commit(old, Ledger.NOTHING, null))).isEqualTo(Kind.RELEASED);
    assertThat(kind(attempts.commit(token, Ledger.NOTHING, null))).isEqualTo(Kind.COMMITTED);
  }

  // c-B15
  @Test
  void aLapsedLeaseThatNobodyTookIsStillGood() {
    var pipeline = oneDay("still-good");
    long token = ledger.begin(claim(pipeline)).token();
    ledger.pass(pipeline, "1 hour");

    assertThat(attempts.holds(token)).isTrue();
    assertThat(attempts.renew(List.of(token, -1L))).containsExactly(token);
    assertThat(ledger.claim(pipeline, NOW, 1)).isEmpty();
    assertThat(kind(attempts.commit(token, Ledger.NOTHING, null))).isEqualTo(Kind.COMMITTED);
  }

  // c-B14
  @Test
  void aClaimThatNeverBeginsLapsesAndSpendsNothing() {
    var pipeline = oneDay("never-began");
    claim(pipeline);
    ledger.pass(pipeline, "89 seconds");
    assertThat(ledger.claim(pipeline, NOW, 1)).isEmpty();
    ledger.pass(pipeline, "2 seconds");
    assertThat(ledger.claim(pipeline, NOW, 1)).hasSize(1);
    assertThat(ledger.row(pipeline, DAY)).containsEntry("lost", "0").containsEntry("attempts", "0");
  }

  // c-B21; invariant 10
  @Test
  void crashesSpendNoFailuresAndTheTenthParks() {
    var pipeline = oneDay("crashes");
    for (int i = 0; i < 10; i++) {
      ledger.begin(claim(pipeline));
      ledger.pass(pipeline, "61 seconds");
    }
    assertThat(ledger.claim(pipeline, NOW, 1)).isEmpty();
    assertThat(ledger.row(pipeline, DAY))
        .containsEntry("parked", "t")
        .containsEntry("failed_claims", "0");
  }

  // B3, B1.1
  @Test
  void failuresAreRetriedWithinTheClaimThenLaterThenParked() {
    var pipeline = oneDay("failing");
    Claim claim = claim(pipeline);
    var retry =
        (Settlement.RetryIn)
            attempts.fail(ledger.begin(claim, 1).token(), FailureKind.ERROR, "one", "said so");
    assertThat(retry.pause()).isEqualTo(Duration.ofSeconds(10));
    assertThat(kind(attempts.fail(ledger.begin(claim, 2).token(), FailureKind.ERROR, "two", null)))
        .isEqualTo(Kind.FAILED);
    assertThat(ledger.row(pipeline, DAY))
        .containsEntry("state", "failed")
        .containsEntry("last_error", "two")
        .containsEntry("parked", "f");
    assertThat(ledger.claim(pipeline, NOW, 1)).isEmpty();

    ledger.pass(pipeline, "15 minutes");
    Claim next = claim(pipeline);
    attempts.fail(ledger.begin(next, 1).token(), FailureKind.ERROR, "three", null);
    assertThat(kind(attempts.fail(ledger.begin(next, 2).token(), FailureKind.ERROR, "four", null)))
        .isEqualTo(Kind.PARKED);
    ledger.pass(pipeline, "1 year");
    assertThat(ledger.claim(pipeline, NOW, 1)).isEmpty();
  }

  // contracts: a sweep tries each once
  @Test
  void whatFailsInASweepWaitsForTheNextOneHoweverShortItsPause() {
    var pipeline = oneDay("once-per-sweep");
    ledger.beginSweep(pipeline);
    Claim claim = claim(pipeline);
    attempts.fail(ledger.begin(claim, 1).token(), FailureKind.ERROR, "one", null);
    attempts.fail(ledger.begin(claim, 2).token(), FailureKind.ERROR, "two", null);
    ledger.pass(pipeline, "15 minutes");

    assertThat(ledger.claim(pipeline, NOW, 1)).isEmpty();
    ledger.beginSweep(pipeline);
    assertThat(ledger.claim(pipeline, NOW, 1)).hasSize(1);
  }

  @Test
  void aRetryByAPersonIsOneMoreTryThatCountsAnew() {
    var pipeline = oneDay("by-hand");
    ledger.beginSweep(pipeline);
    Claim bad = claim(pipeline);
    attempts.fail(ledger.begin(bad).token(), FailureKind.BAD_DATA, "bad", null);
    assertThat(ledger.claim(pipeline, NOW, 1)).isEmpty();

    new Interventions(database.dataSource()).retry(pipeline, List.of(), Slice.EMPTY);
    assertThat(ledger.row(pipeline, DAY)).containsEntry("state", "failed");
    Claim again = claim(pipeline);
    assertThat(ledger.row(pipeline, DAY))
        .containsEntry("claim_reason", "retry")
        .containsEntry("failed_claims", "0")
        .containsEntry("retried_at", null);
    attempts.fail(ledger.begin(again, 1).token(), FailureKind.ERROR, "one", null);
    assertThat(kind(attempts.fail(ledger.begin(again, 2).token(), FailureKind.ERROR, "two", null)))
        .as("the first of two claims that may fail")
        .isEqualTo(Kind.FAILED);
  }

  @Test
  void badDataParksAtOnceAndANewVersionUnparks() {
    var pipeline = oneDay("bad-data");
    ledger.observe(pipeline, DAY, "v1");
    var begun = ledger.begin(claim(pipeline));
    attempts.observed(begun.token(), "v1", ledger.observations.now());
    assertThat(kind(attempts.fail(begun.token(), FailureKind.BAD_DATA, "65", null)))
        .isEqualTo(Kind.PARKED);

    ledger.observe(pipeline, DAY, "v1");
    assertThat(ledger.claim(pipeline, NOW, 1)).isEmpty();
    ledger.observe(pipeline, DAY, "v2");
    assertThat(ledger.claim(pipeline, NOW, 1)).hasSize(1);
  }

  // c-B7
  @Test
  void notReadyAndReleasedSpendNothing() {
    var pipeline = oneDay("nothing-spent");
    assertThat(
            kind(
                attempts.fail(
                    ledger.begin(claim(pipeline)).token(), FailureKind.RELEASED, "stop", null)))
        .isEqualTo(Kind.RELEASED);
    assertThat(
            kind(
                attempts.fail(
                    ledger.begin(claim(pipeline)).token(), FailureKind.NOT_READY, "75", null)))
        .isEqualTo(Kind.NOT_READY);
    assertThat(ledger.claim(pipeline, NOW, 1)).isEmpty();
    assertThat(ledger.row(pipeline, DAY))
        .containsEntry("failed_claims", "0")
        .containsEntry("failures", "0")
        .containsEntry("state", "never_attempted");
  }

  // c-M7
  @Test
  void whatWaitsSaysWhyAlsoWhereNothingIsSpentAndAnOlderErrorGivesWay() {
    var pipeline = oneDay("waits-and-says-why");
    attempts.fail(ledger.begin(claim(pipeline)).token(), FailureKind.BAD_DATA, "older", null);
    ledger.observe(pipeline, DAY, "v2");
    attempts.fail(ledger.begin(claim(pipeline)).token(), FailureKind.RELEASED, "stopped", null);
    assertThat(ledger.row(pipeline, DAY)).containsEntry("last_error", "older");

    attempts.fail(ledger.begin(claim(pipeline)).token(), FailureKind.NOT_READY, "no store", null);

    assertThat(ledger.row(pipeline, DAY)).containsEntry("last_error", "no store");
  }

  @Test
  void aWorkerWithAnotherTaskSpendsNothingAndIsNotTheNextAtOnce() {
    var pipeline = oneDay("unfit");
    Settlement settled =
        attempts.fail(
            ledger.begin(claim(pipeline)).token(), FailureKind.UNFIT_WORKER, "differs", null);

    assertThat(kind(settled)).isEqualTo(Kind.RELEASED);
    assertThat(ledger.claim(pipeline, NOW, 1)).isEmpty();
    assertThat(ledger.row(pipeline, DAY))
        .containsEntry("failed_claims", "0")
        .containsEntry("state", "never_attempted");
    ledger.pass(pipeline, "11 seconds");
    assertThat(ledger.claim(pipeline, NOW, 1)).hasSize(1);
  }

  // c-B16; invariant 10
  @Test
  void failuresOfAClaimCutOffBetweenAttemptsCountOn() {
    var pipeline = oneDay("cut-off");
    Claim first = claim(pipeline);
    attempts.fail(ledger.begin(first).token(), FailureKind.ERROR, "one", null);
    assertThat(attempts.settleTimeout(first, "no worker").kind()).isEqualTo(Kind.RELEASED);
    assertThat(ledger.row(pipeline, DAY)).containsEntry("lost", "0");

    assertThat(
            kind(
                attempts.fail(
                    ledger.begin(claim(pipeline)).token(), FailureKind.ERROR, "two", null)))
        .isEqualTo(Kind.FAILED);
  }

  // c-B16
  @Test
  void aTimeoutThatTemporalReportsGivesTheClaimBack() {
    var pipeline = oneDay("timeout");
    Claim claim = claim(pipeline);
    ledger.begin(claim);
    assertThat(attempts.settleTimeout(claim, "heartbeat").kind()).isEqualTo(Kind.RELEASED);
    assertThat(ledger.row(pipeline, DAY)).containsEntry("lost", "1").containsEntry("live", "f");
    assertThat(attempts.settleTimeout(claim, "again").kind()).isEqualTo(Kind.RELEASED);
    assertThat(ledger.row(pipeline, DAY)).containsEntry("lost", "1");
  }

  // W6; invariant 6; C-g2
  @Test
  void whatLandsBetweenReadAndCommitIsLate() {
    var pipeline = oneDay("in-between");
    var begun = ledger.begin(claim(pipeline));
    attempts.observed(begun.token(), "v1", ledger.observations.now());
    ledger.observe(pipeline, DAY, "v2");
    attempts.commit(begun.token(), Ledger.NOTHING, null);

    assertThat(ledger.row(pipeline, DAY))
        .containsEntry("processed_version", "v1")
        .containsEntry("input_version", "v2");
    assertThat(
            ledger.query(
                """
                select count(*) from partition_state
                 where pipeline = 'in-between' and late
                   and last_update_time > last_processed_time and not is_processed
                """))
        .isEqualTo("1");
    assertThat(ledger.claim(pipeline, NOW, 1)).hasSize(1);
  }

  @Test
  void anIntentInDoubtIsToldToTheNextAttempt() {
    Claim claim = claim(oneDay("intent"));
    assertThat(attempts.intend(ledger.begin(claim, 1).token(), "{\"names\": 1}")).isTrue();

    assertThat(ledger.begin(claim, 2).context().intent()).isEqualTo("{\"names\": 1}");
  }

  @Test
  void theParametersOfTheRequestReachTheAttempt() {
    var pipeline = oneDay("params");
    ledger.request(pipeline, "with params", false, DAY);
    database.execute(
        "update tidemark.backfill set params = '{\"day\": \"blue\"}' where backfill_id = 'with params'");

    assertThat(ledger.begin(claim(pipeline)).params()).containsEntry("day", "blue").hasSize(1);
  }
}
