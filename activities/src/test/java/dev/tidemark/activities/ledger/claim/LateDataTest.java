package dev.tidemark.activities.ledger.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.Ledger;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Observations.Seen;
import dev.tidemark.activities.ledger.Pipelines;
import dev.tidemark.activities.ledger.Slices;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.ledger.attempt.Begin;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Integration.Strategy;
import dev.tidemark.workflows.pipeline.Pace;
import java.time.Period;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What goes wrong where a flag says that a partition is being processed, and here does not. */
class LateDataTest {
  private static final String NOW = "2026-01-04T00:00:00Z";
  private static final List<String> ALL = List.of("2026-01-03", "2026-01-02", "2026-01-01");

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

  /** Three days, all committed from version v1. */
  private static RegisteredPipeline committed(String name) {
    RegisteredPipeline pipeline = ledger.ready(Pipelines.daily(name).retry(1, 2), NOW);
    ALL.forEach(day -> ledger.observe(pipeline, day, "v1"));
    List<Claim> claims = ledger.claim(pipeline, NOW, 10);
    assertThat(Ledger.labels(claims)).isEqualTo(ALL);
    claims.forEach(claim -> commit(claim, "v1"));
    return pipeline;
  }

  private static void commit(Claim claim, String version) {
    Begin.Begun begun = ledger.begin(claim);
    ledger.attempts.observed(begun.token(), version, ledger.observations.now());
    ledger.attempts.commit(begun.token(), Ledger.NOTHING, null);
  }

  private static Claim claimLate(RegisteredPipeline pipeline, String partition) {
    List<Claim> claims = ledger.claim(pipeline, NOW, 10);
    assertThat(Ledger.labels(claims)).containsExactly(partition);
    return claims.get(0);
  }

  // W1, C-g3: a claim ends with its lease, and the partition is late as before
  @Test
  void aCrashAfterTheClaimDoesNotHideLateData() {
    RegisteredPipeline pipeline = committed("crash");
    ledger.observe(pipeline, "2026-01-01", "v2");
    ledger.begin(claimLate(pipeline, "2026-01-01"));

    ledger.pass(pipeline, "2 hours");
    commit(claimLate(pipeline, "2026-01-01"), "v2");
    assertThat(ledger.claim(pipeline, NOW, 10)).isEmpty();
  }

  // W2: detecting again after a run failed for good loses nothing
  @Test
  void lateDataThatFailedForGoodIsSaidUntilItIsWorkedIn() {
    RegisteredPipeline pipeline = committed("failed");
    ledger.observe(pipeline, "2026-01-01", "v2");
    Begin.Begun begun = ledger.begin(claimLate(pipeline, "2026-01-01"));
    ledger.attempts.fail(begun.token(), FailureKind.BAD_DATA, "no good", null);

    ledger.observe(pipeline, "2026-01-01", "v2");
    assertThat(ledger.claim(pipeline, NOW, 10)).isEmpty();
    assertThat(
            ledger.query("select late from partition_state where pipeline = 'failed' and parked"))
        .isEqualTo("t");
    ledger.observe(pipeline, "2026-01-01", "v3");
    commit(claimLate(pipeline, "2026-01-01"), "v3");
  }

  // W3, c-A16: what two detectors see at once is one thing to do
  @Test
  void twoDetectorsMakeOneRun() {
    RegisteredPipeline pipeline = committed("detectors");
    ledger.observe(pipeline, "2026-01-01", "v2");
    ledger.observe(pipeline, "2026-01-01", "v2");

    commit(claimLate(pipeline, "2026-01-01"), "v2");
    ledger.observe(pipeline, "2026-01-01", "v2");
    assertThat(ledger.claim(pipeline, NOW, 10)).isEmpty();
  }

  // W4, C-g4: what was claimed and never finished, and what first arrives late
  @Test
  void whatWasNeverProcessedIsNotLeftOut() {
    RegisteredPipeline pipeline =
        ledger.ready(
            Pipelines.daily("never").inputs(new InputSpec.Files("in/{partition}", false)), NOW);
    ledger.observe(pipeline, "2026-01-03", "v1");
    ledger.begin(claimLate(pipeline, "2026-01-03"));
    ledger.pass(pipeline, "2 hours");

    ledger.observe(pipeline, "2026-01-01", "v1");
    List<Claim> claims = ledger.claim(pipeline, NOW, 10);
    assertThat(Ledger.labels(claims)).containsExactly("2026-01-03", "2026-01-01");
  }

  // W5: an input that the source no longer lists is not a change without end
  @Test
  void aVersionThatTheSourceForgotIsNotLate() {
    RegisteredPipeline pipeline = committed("forgotten");
    ledger.observations.record(
        pipeline,
        ledger.observations.now(),
        Stream.of(new Seen(Slice.EMPTY, "2026-01-01", null, false)));

    assertThat(ledger.claim(pipeline, NOW, 10)).isEmpty();
    assertThat(ledger.row(pipeline, "2026-01-01")).containsEntry("input_version", "v1");
  }

  // W6, c-A7, C-g2: what lands during a run is late after it, and starts no second run beside it
  @Test
  void whatLandsDuringARunIsWorkedInByOneRunAfterIt() {
    RegisteredPipeline pipeline = committed("during");
    ledger.observe(pipeline, "2026-01-02", "v2");
    Claim claim = claimLate(pipeline, "2026-01-02");
    Begin.Begun begun = ledger.begin(claim);
    ledger.attempts.observed(begun.token(), "v2", ledger.observations.now());

    ledger.observe(pipeline, "2026-01-02", "v3");
    assertThat(ledger.claim(pipeline, NOW, 10)).isEmpty();
    ledger.attempts.commit(begun.token(), Ledger.NOTHING, null);

    commit(claimLate(pipeline, "2026-01-02"), "v3");
    assertThat(ledger.claim(pipeline, NOW, 10)).isEmpty();
  }

  // W7: there is no version of the whole that a failure, or a window that is not closed, is lost by
  @Test
  void eachPartitionHasItsOwnVersion() {
    RegisteredPipeline pipeline = committed("each");
    ledger.observe(pipeline, "2026-01-01", "v2");
    ledger.observe(pipeline, "2026-01-02", "v2");
    List<Claim> both = ledger.claim(pipeline, NOW, 10);
    commit(both.get(0), "v2");
    ledger.attempts.fail(ledger.begin(both.get(1)).token(), FailureKind.ERROR, "down", null);

    ledger.bringUpTo(pipeline, "2026-01-05T00:00:00Z");
    ledger.observe(pipeline, "2026-01-04", "v1");
    ledger.pass(pipeline, "1 day");
    assertThat(Ledger.labels(ledger.claim(pipeline, "2026-01-05T00:00:00Z", 10)))
        .containsExactly("2026-01-04", "2026-01-01");
  }

  // W7, C15, c-D16: a version is not a time: whatever differs is a change, whatever is equal none
  @Test
  void aVersionThatLooksOlderIsAChangeAndTheSameAgainIsNone() {
    RegisteredPipeline pipeline = committed("older");
    ledger.observe(pipeline, "2026-01-01", "v0");
    commit(claimLate(pipeline, "2026-01-01"), "v0");

    ledger.observe(pipeline, "2026-01-01", "v0");
    assertThat(ledger.claim(pipeline, NOW, 10)).isEmpty();
  }

  // C1, c-D3: what was closed when it was made decides, whatever the lookback was then
  @Test
  void aNewLookbackDoesNotAskForWhatWasMadeAfterTheWindowThatAsks() {
    Pipelines oldestFirst = Pipelines.daily("widened").order(Pace.Order.OLDEST_FIRST);
    RegisteredPipeline pipeline = ledger.ready(oldestFirst, NOW);
    ledger.claim(pipeline, NOW, 2).forEach(ledger::commit);

    pipeline = ledger.register(oldestFirst.lookback(1));
    assertThat(ledger.run(pipeline, NOW)).containsExactly("2026-01-03");
  }

  // C-g5: late data for the newest closed window, and for one that was seen before it closed
  @Test
  void lateDataOfTheCurrentWindowIsNotLeftOut() {
    RegisteredPipeline pipeline = committed("current");
    ledger.bringUpTo(pipeline, "2026-01-05T00:00:00Z");
    ledger.observe(pipeline, "2026-01-03", "v2");
    ledger.observe(pipeline, "2026-01-04", "v2");

    commit(claimLate(pipeline, "2026-01-03"), "v2");
    List<Claim> next = ledger.claim(pipeline, "2026-01-05T00:00:00Z", 10);
    assertThat(Ledger.labels(next)).containsExactly("2026-01-04");
    assertThat(ledger.begin(next.get(0)).context().inputVersion()).isEqualTo("v2");
  }

  // C3: a limit of one account does not let the others go first
  @Test
  void whatAnAccountAtItsLimitLooksBackUponGoesFirstToo() {
    Pipelines definition =
        Pipelines.daily("limited")
            .slices("unit", Slices.of("unit", "a"), Slices.since("2026-01-04", "unit", "b"))
            .late(Period.ofDays(60), Strategy.LATE_FIRST)
            .lookback(1, 2)
            .perAccount(1);
    RegisteredPipeline pipeline = ledger.ready(definition, NOW);
    assertThat(ledger.run(pipeline, NOW)).hasSize(3);
    String next = "2026-01-05T00:00:00Z";
    ledger.bringUpTo(pipeline, next);

    assertThat(ledger.sweep(pipeline, "first", next)).containsExactly("2026-01-03");
    assertThat(ledger.sweep(pipeline, "second", next)).containsExactly("2026-01-02", "2026-01-04");
    assertThat(ledger.sweep(pipeline, "third", next)).containsExactly("2026-01-04");
  }

  // W8: windows come in the order of time, which their labels need not have
  @Test
  void theOrderIsOfTimeNotOfText() {
    RegisteredPipeline pipeline =
        ledger.ready(
            Pipelines.daily("lord-howe")
                .partitions(
                    Grain.QUARTER_HOUR, "Australia/Lord_Howe", "2026-04-05T01:30+1100", null)
                .order(Pace.Order.OLDEST_FIRST),
            "2026-04-04T15:30:00Z");

    assertThat(Ledger.labels(ledger.claim(pipeline, "2026-04-04T15:30:00Z", 10)))
        .containsExactly(
            "2026-04-05T01:30+1100",
            "2026-04-05T01:45+1100",
            "2026-04-05T01:30+1030",
            "2026-04-05T01:45+1030");
  }

  // c-A13: what is being made again is there, as it was, until the new commit
  @Test
  void aPartitionThatIsMadeAgainStaysCommitted() {
    RegisteredPipeline pipeline = committed("again");
    String before = String.valueOf(ledger.row(pipeline, "2026-01-02").get("committed_token"));
    ledger.request(pipeline, "again-all", true, "2026-01-02");
    Begin.Begun begun = ledger.begin(claimLate(pipeline, "2026-01-02"));

    assertThat(ledger.row(pipeline, "2026-01-02"))
        .containsAllEntriesOf(Map.of("state", "running", "committed_token", before));
    ledger.attempts.commit(begun.token(), Ledger.NOTHING, null);
    assertThat(ledger.row(pipeline, "2026-01-02").get("committed_token")).isNotEqualTo(before);
  }

  // c-B3: a state that somebody edits is worked out anew from the facts
  @Test
  void whatIsEditedByHandIsFoundByTheNextClaim() {
    RegisteredPipeline pipeline = committed("edited");
    ledger.request(pipeline, "edited-all", true, "2026-01-01", "2026-01-02");
    Begin.Begun first = ledger.begin(ledger.claim(pipeline, NOW, 1).get(0));
    database.execute(
        "update tidemark.partition_ledger set claim_id = null, lease_until = null,"
            + " claim_attempt = null where claim_id is not null and pipeline_id = "
            + pipeline.id());

    assertThat(Ledger.labels(ledger.claim(pipeline, NOW, 10)))
        .containsExactly("2026-01-02", "2026-01-01");
    assertThat(ledger.attempts.holds(first.token())).isFalse();
  }

  // c-E6: a schedule only wakes; one that comes twice, or not at all, changes nothing
  @Test
  void aWakeUpMayComeTwiceOrNotAtAll() {
    RegisteredPipeline pipeline = committed("wakes");
    assertThat(ledger.bringUpTo(pipeline, NOW)).isZero();
    assertThat(ledger.run(pipeline, NOW)).isEmpty();

    ledger.bringUpTo(pipeline, "2026-01-07T00:00:00Z");
    assertThat(ledger.run(pipeline, "2026-01-07T00:00:00Z"))
        .containsExactly("2026-01-06", "2026-01-05", "2026-01-04");
  }
}
