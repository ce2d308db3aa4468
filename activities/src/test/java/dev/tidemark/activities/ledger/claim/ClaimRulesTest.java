package dev.tidemark.activities.ledger.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.ledger.Ledger;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Pipelines;
import dev.tidemark.activities.ledger.Slices;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.Integration.OnDefinitionChange;
import dev.tidemark.workflows.pipeline.Integration.Strategy;
import java.time.Instant;
import java.time.Period;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is claimable, and what holds it back. */
final class ClaimRulesTest {
  private static final String JAN_4 = "2026-01-04T00:00:00Z";
  private static final String JAN_5 = "2026-01-05T00:00:00Z";
  private static LedgerTestDatabase database;
  private static Ledger ledger;

  @BeforeAll
  static void open() {
    database = LedgerTestDatabase.create();
    ledger = new Ledger(database);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  // c-D5; invariant 7; A5, A6
  @Test
  void anUnclosedWindowIsNeverClaimedThoughItHasARow() {
    var pipeline = ledger.ready(Pipelines.daily("unclosed"), JAN_5);

    assertThat(ledger.run(pipeline, "2026-01-03T23:59:59Z"))
        .containsExactly("2026-01-02", "2026-01-01");
  }

  // c-A8
  @Test
  void theSameRequestSentTwiceReturnsWhatItHolds() {
    var pipeline = ledger.ready(Pipelines.daily("twice"), JAN_4);
    ClaimRequest request =
        new ClaimRequest("one request", "twice", Scope.ALL, Instant.parse(JAN_4), 2, null);

    List<Claim> first = ledger.claims.claim(request).claims();
    assertThat(first).hasSize(2);
    assertThat(ledger.claims.claim(request).claims()).containsExactlyInAnyOrderElementsOf(first);
    ledger.commit(first.get(0));
    assertThat(ledger.claims.claim(request).claims()).containsExactly(first.get(1));
    assertThat(ledger.claim(pipeline, JAN_4, 5))
        .extracting(Claim::partition)
        .containsExactly("2026-01-01");
  }

  @Test
  void anUnknownPipelineIsRefusedNamingTheKnownOnes() {
    ledger.register(Pipelines.daily("known"));
    assertThatThrownBy(
            () -> ledger.claims.claim(new ClaimRequest("r", "nobody", Scope.ALL, null, 1, null)))
        .isInstanceOf(LedgerRefusal.class)
        .hasMessageContaining("'nobody'")
        .hasMessageContaining("known");
  }

  // c-C4
  @Test
  void pausedMeansThatOnlyWhatWasAskedForRuns() {
    var pipeline = ledger.ready(Pipelines.daily("paused"), JAN_4);
    assertThat(ledger.definitions.pause("paused", "me")).isTrue();
    assertThat(ledger.claim(pipeline, JAN_4, 5)).isEmpty();

    ledger.request(pipeline, "while paused", false, "2026-01-02");
    assertThat(ledger.run(pipeline, JAN_4)).containsExactly("2026-01-02");

    assertThat(ledger.definitions.resume("paused")).isTrue();
    assertThat(ledger.run(pipeline, JAN_4)).containsExactly("2026-01-03", "2026-01-01");
  }

  @Test
  void aRequestNeverMakesRowsRunThatNobodyAskedFor() {
    var pipeline = ledger.ready(Pipelines.daily("scope"), JAN_4);
    ledger.request(pipeline, "scoped", false, "2026-01-01");

    assertThat(Ledger.labels(ledger.claim(pipeline, Scope.REQUESTED, JAN_4, 5)))
        .containsExactly("2026-01-01");
    assertThat(ledger.claim(pipeline, Scope.REQUESTED, JAN_4, 5)).isEmpty();
  }

  // B11
  @Test
  void askedForGoesFirst() {
    var pipeline = ledger.ready(Pipelines.daily("asked"), JAN_4);
    ledger.request(pipeline, "asked first", false, "2026-01-01");

    assertThat(ledger.run(pipeline, JAN_4))
        .containsExactly("2026-01-01", "2026-01-03", "2026-01-02");
  }

  // C14, C15, C4
  @Test
  void lateIsDueOnceAfterTheCurrentWindow() {
    var pipeline = ledger.ready(Pipelines.daily("late"), JAN_4);
    ledger.run(pipeline, JAN_4);
    ledger.observe(pipeline, "2026-01-01", "v2");
    ledger.bringUpTo(pipeline, JAN_5);

    List<Claim> claims = ledger.claim(pipeline, JAN_5, 5);
    assertThat(Ledger.labels(claims)).containsExactly("2026-01-04", "2026-01-01");
    assertThat(ledger.row(pipeline, "2026-01-01")).containsEntry("claim_reason", "late");
    for (Claim claim : claims) {
      var begun = ledger.begin(claim);
      ledger.attempts.observed(
          begun.token(),
          claim.partition().equals("2026-01-01") ? "v2" : null,
          ledger.observations.now());
      ledger.attempts.commit(begun.token(), Ledger.NOTHING, null);
    }
    assertThat(ledger.claim(pipeline, JAN_5, 5)).isEmpty();
  }

  // C3
  @Test
  void lateFirstHoldsTheCurrentWindowBackWhileALateOneRuns() {
    var pipeline =
        ledger.ready(Pipelines.daily("gate").late(Period.ofDays(60), Strategy.LATE_FIRST), JAN_4);
    ledger.run(pipeline, JAN_4);
    ledger.observe(pipeline, "2026-01-01", "v2");
    ledger.bringUpTo(pipeline, JAN_5);

    List<Claim> late = ledger.claim(pipeline, JAN_5, 5);
    assertThat(Ledger.labels(late)).containsExactly("2026-01-01");
    assertThat(ledger.claim(pipeline, JAN_5, 5)).isEmpty();
    var begun = ledger.begin(late.get(0));
    ledger.attempts.observed(begun.token(), "v2", ledger.observations.now());
    ledger.attempts.commit(begun.token(), Ledger.NOTHING, null);
    assertThat(Ledger.labels(ledger.claim(pipeline, JAN_5, 5))).containsExactly("2026-01-04");
  }

  // C3; design, gates: only what became due before the window closed
  @Test
  void lateFirstDoesNotHoldBackWhatClosedBeforeTheLateOneWasSeen() {
    var pipeline =
        ledger.register(
            Pipelines.daily("gate-since")
                .partitions(Grain.DAY, "UTC", "2020-01-01", "2020-01-05")
                .late(Period.ofDays(60), Strategy.LATE_FIRST));
    ledger.bringUpTo(pipeline, "2020-01-04T00:00:00Z");
    ledger.run(pipeline, "2020-01-04T00:00:00Z");
    ledger.bringUpTo(pipeline, "2020-01-05T00:00:00Z");
    ledger.observe(pipeline, "2020-01-01", "v2");

    List<Claim> late = ledger.claim(pipeline, Scope.ALL, null, 1);
    assertThat(Ledger.labels(late)).containsExactly("2020-01-01");
    database.execute(
        "update tidemark.partition_ledger set input_seen_at = '2020-01-02T00:00:00Z'"
            + " where id = "
            + late.get(0).row());
    assertThat(ledger.claim(pipeline, Scope.ALL, null, 5)).isEmpty();
    database.execute(
        "update tidemark.partition_ledger set input_seen_at = '2020-01-05T00:00:00Z'"
            + " where id = "
            + late.get(0).row());
    assertThat(Ledger.labels(ledger.claim(pipeline, Scope.ALL, null, 5)))
        .containsExactly("2020-01-04");
  }

  // C21, C23
  @Test
  void lateBeyondTheAcceptedBoundIsNotDue() {
    var pipeline =
        ledger.ready(Pipelines.daily("accept").late(Period.ofDays(1), Strategy.PARALLEL), JAN_4);
    ledger.run(pipeline, JAN_4);
    ledger.observe(pipeline, "2026-01-01", "v2");
    ledger.observe(pipeline, "2026-01-02", "v2");

    assertThat(Ledger.labels(ledger.claim(pipeline, JAN_4, 5))).containsExactly("2026-01-02");
  }

  // c-I6
  @Test
  void frozenIsNeverDoneTwice() {
    var pipeline = ledger.ready(Pipelines.daily("frozen").frozen().lookback(1, 2), JAN_4);
    ledger.run(pipeline, JAN_4);
    ledger.observe(pipeline, "2026-01-01", "v2");
    ledger.bringUpTo(pipeline, JAN_5);

    assertThat(ledger.run(pipeline, JAN_5)).containsExactly("2026-01-04");
  }

  // c-D13, C1, C2, C8, C9, C23, c-D3, c-D7
  @Test
  void lookbackAsksForTheUnionOfTheWindowsBeforeEachNewOneOnce() {
    var pipeline = ledger.ready(Pipelines.daily("lookback").lookback(1, 2), "2026-01-06T00:00:00Z");
    assertThat(ledger.run(pipeline, "2026-01-06T00:00:00Z")).hasSize(5);
    assertThat(ledger.claim(pipeline, "2026-01-06T00:00:00Z", 9)).isEmpty();

    ledger.bringUpTo(pipeline, "2026-01-07T00:00:00Z");
    assertThat(ledger.run(pipeline, "2026-01-07T00:00:00Z"))
        .containsExactly("2026-01-06", "2026-01-05", "2026-01-04");

    // Three windows close at once after an outage: 6 and 5 are before them, each once.
    ledger.bringUpTo(pipeline, "2026-01-10T00:00:00Z");
    assertThat(ledger.run(pipeline, "2026-01-10T00:00:00Z"))
        .containsExactly("2026-01-09", "2026-01-08", "2026-01-07", "2026-01-06", "2026-01-05");
    assertThat(ledger.claim(pipeline, "2026-01-10T00:00:00Z", 9)).isEmpty();
  }

  // c-D8
  @Test
  void lookbackMayHaveHoles() {
    var pipeline = ledger.ready(Pipelines.daily("sparse").lookback(1, 3), "2026-01-06T00:00:00Z");
    ledger.run(pipeline, "2026-01-06T00:00:00Z");
    ledger.bringUpTo(pipeline, "2026-01-07T00:00:00Z");

    assertThat(ledger.run(pipeline, "2026-01-07T00:00:00Z"))
        .containsExactly("2026-01-06", "2026-01-05", "2026-01-03");
  }

  @Test
  void raisingTheLookbackDoesNotRedoHistory() {
    var pipeline = ledger.ready(Pipelines.daily("raised"), "2026-01-06T00:00:00Z");
    ledger.run(pipeline, "2026-01-06T00:00:00Z");
    pipeline = ledger.register(Pipelines.daily("raised").lookback(1, 2, 3));
    assertThat(pipeline.lookbackFloor()).isEqualTo("2026-01-05T00:00:00Z");
    assertThat(ledger.claim(pipeline, "2026-01-06T00:00:00Z", 9)).isEmpty();

    ledger.bringUpTo(pipeline, "2026-01-07T00:00:00Z");
    assertThat(ledger.run(pipeline, "2026-01-07T00:00:00Z"))
        .containsExactly("2026-01-06", "2026-01-05", "2026-01-04", "2026-01-03");
  }

  // A14.5
  @Test
  void aNewerDefinitionIsDueOnlyWhereThePolicySaysSo() {
    var pipeline = ledger.ready(Pipelines.daily("stale"), JAN_4);
    ledger.run(pipeline, JAN_4);
    pipeline = ledger.register(Pipelines.daily("stale").command("false"));
    assertThat(ledger.claim(pipeline, JAN_4, 5)).isEmpty();

    pipeline =
        ledger.register(
            Pipelines.daily("stale").command("false").onDefinitionChange(OnDefinitionChange.RERUN));
    assertThat(ledger.run(pipeline, JAN_4))
        .containsExactly("2026-01-03", "2026-01-02", "2026-01-01");
  }

  // c-F1, c-C24
  @Test
  void catchUpNewestRecordsWhatItSkips() {
    var pipeline = ledger.ready(Pipelines.daily("catch-up").catchUp(new CatchUp.Newest(1)), JAN_4);
    assertThat(ledger.run(pipeline, JAN_4)).containsExactly("2026-01-03");
    assertThat(ledger.row(pipeline, "2026-01-01").get("skipped_at")).isNotNull();

    ledger.request(pipeline, "skipped", false, "2026-01-01");
    assertThat(ledger.run(pipeline, JAN_4)).containsExactly("2026-01-01");
  }

  // B10, c-K1
  @Test
  void oneAccountsBacklogLeavesSlotsForTheOthers() {
    var pipeline =
        ledger.ready(
            Pipelines.daily("accounts")
                .slices(
                    "unit", Slices.of("unit", "big"), Slices.since("2026-01-30", "unit", "small"))
                .perAccountParallel(5, 2),
            "2026-02-01T00:00:00Z");

    assertThat(ledger.claim(pipeline, "2026-02-01T00:00:00Z", 5))
        .extracting(claim -> claim.slice() + " " + claim.partition())
        .containsExactlyInAnyOrder(
            "unit=big 2026-01-31",
            "unit=small 2026-01-31",
            "unit=big 2026-01-30",
            "unit=small 2026-01-30");
  }

  // B10, A32
  @Test
  void oneSweepTakesNoMoreOfAnAccountThanItsLimit() {
    var pipeline =
        ledger.ready(
            Pipelines.daily("per-sweep")
                .slices("unit", Slices.of("unit", "big"), Slices.since("2026-01-03", "unit", "new"))
                .perAccount(2),
            JAN_5);

    assertThat(ledger.sweep(pipeline, "first", JAN_5))
        .containsExactly("2026-01-04", "2026-01-04", "2026-01-03", "2026-01-03");
    assertThat(ledger.sweep(pipeline, "second", JAN_5)).containsExactly("2026-01-02", "2026-01-01");
  }

  // B10
  @Test
  void theLimitPerAccountOfSweepsDoesNotBoundWhatWasAskedFor() {
    var pipeline =
        ledger.ready(
            Pipelines.daily("asked-per-sweep")
                .slices("unit", Slices.of("unit", "big"))
                .perAccount(1),
            JAN_4);
    ledger.request(pipeline, "all of it", false, "2026-01-01", "2026-01-02", "2026-01-03");

    assertThat(ledger.claim(pipeline, Scope.REQUESTED, JAN_4, 5)).hasSize(3);
  }

  // c-C5
  @Test
  void aBackfillRunsInItsOwnOrder() {
    var pipeline = ledger.ready(Pipelines.daily("orders"), JAN_4);
    ledger.run(pipeline, JAN_4);
    ledger.request(pipeline, "in order", true, "2026-01-01", "2026-01-02", "2026-01-03");
    database.execute(
        "update tidemark.backfill set newest_first = false, parallel = 2 where backfill_id = 'in order'");

    assertThat(Ledger.labels(ledger.claim(pipeline, JAN_4, 5)))
        .containsExactly("2026-01-01", "2026-01-02");
  }

  // c-B19, B12, c-D18; invariant 10
  @Test
  void aPartitionThatAlwaysFailsDoesNotHoldUpTheOthers() {
    var pipeline = ledger.ready(Pipelines.daily("poison").retry(1, 2), JAN_4);
    Claim poison = ledger.claim(pipeline, JAN_4, 1).get(0);
    ledger.attempts.fail(ledger.begin(poison).token(), Attempts.FailureKind.ERROR, "no", null);

    assertThat(ledger.run(pipeline, JAN_4)).containsExactly("2026-01-02", "2026-01-01");
    var outlook = ledger.claims.outlook(pipeline, Scope.ALL, Instant.parse(JAN_4));
    assertThat(outlook.waiting()).isEqualTo(1);
    assertThat(outlook.wakeAt()).isNotNull();
    // A now given by hand passes the pause, counted from the now of its claim.
    assertThat(Ledger.labels(ledger.claim(pipeline, "2026-01-04T00:15:00Z", 5)))
        .containsExactly("2026-01-03");
    assertThat(ledger.row(pipeline, "2026-01-03")).containsEntry("claim_reason", "retry");
  }

  // C13, C15, C16, C17
  @Test
  void theLatePartitionQueryThatPeopleKnowListsWhatIsLateAndNotBeingProcessed() {
    var pipeline = ledger.ready(Pipelines.daily("known-query"), JAN_4);
    ledger.run(pipeline, JAN_4);
    ledger.observe(pipeline, "2026-01-02", "v2");
    String query =
        "select string_agg(partition, ' ') from partition_state where pipeline = 'known-query'"
            + " and last_update_time > last_processed_time"
            + " and window_start < '2026-01-04T00:00:00Z' and not is_processed";
    assertThat(ledger.query(query)).isEqualTo("2026-01-02");

    Claim claim = ledger.claim(pipeline, JAN_4, 5).get(0);
    assertThat(ledger.query(query)).isEqualTo("null");
    var begun = ledger.begin(claim);
    ledger.attempts.observed(begun.token(), "v2", ledger.observations.now());
    ledger.attempts.commit(begun.token(), Ledger.NOTHING, null);
    assertThat(ledger.query(query)).isEqualTo("null");
  }

  // c-A5, B1, B2, B5, B6, B7, B8, C11
  @Test
  void whateverAsksForAPartitionTakesTheSameRowOneAtATime() {
    var pipeline = ledger.ready(Pipelines.daily("one-path"), JAN_4);
    Claim tick = ledger.claim(pipeline, JAN_4, 1).get(0);
    var begun = ledger.begin(tick);
    ledger.request(pipeline, "export again", true, "2026-01-03");
    assertThat(ledger.claim(pipeline, Scope.REQUESTED, JAN_4, 5)).isEmpty();

    ledger.attempts.commit(begun.token(), Ledger.NOTHING, null);
    List<Claim> again = ledger.claim(pipeline, Scope.REQUESTED, JAN_4, 5);
    assertThat(again).extracting(Claim::row).containsExactly(tick.row());
    again.forEach(ledger::commit);
    assertThat(ledger.claim(pipeline, Scope.REQUESTED, JAN_4, 5)).isEmpty();
    assertThat(ledger.row(pipeline, "2026-01-03")).containsEntry("attempts", "2");
  }
}
