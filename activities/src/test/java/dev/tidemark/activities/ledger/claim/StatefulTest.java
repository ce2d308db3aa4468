package dev.tidemark.activities.ledger.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.ledger.Interventions;
import dev.tidemark.activities.ledger.Ledger;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Pipelines;
import dev.tidemark.activities.ledger.Slices;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.ledger.attempt.Begin;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputRow;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.ledger.output.TakenIn;
import dev.tidemark.activities.ledger.output.TakingIn;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.Integration.OnDefinitionChange;
import dev.tidemark.workflows.planning.Reason;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Windows that build on the one before them. */
class StatefulTest {
  private static final String FIVE_CLOSED = "2026-01-06T00:00:00Z";
  private static final String FOUR_CLOSED = "2026-01-05T00:00:00Z";
  private static final List<String> FIVE =
      List.of("2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05");

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

  private static Pipelines stateful(String name) {
    return Pipelines.daily(name).stateful(Period.ofDays(60));
  }

  /** Five days, all committed. */
  private static RegisteredPipeline chain(String name) {
    RegisteredPipeline pipeline = ledger.ready(stateful(name), FIVE_CLOSED);
    assertThat(ledger.run(pipeline, FIVE_CLOSED)).isEqualTo(FIVE);
    return pipeline;
  }

  // C19, c-C23: depends_on_past
  @Test
  void aWindowWaitsUntilItsPredecessorIsCommitted() {
    RegisteredPipeline pipeline = ledger.ready(stateful("in-order"), FIVE_CLOSED);

    List<Claim> first = ledger.claim(pipeline, FIVE_CLOSED, 10);
    assertThat(Ledger.labels(first)).containsExactly("2026-01-01");
    assertThat(ledger.claim(pipeline, FIVE_CLOSED, 10)).as("while the first one runs").isEmpty();

    ledger.commit(first.get(0));
    assertThat(Ledger.labels(ledger.claim(pipeline, FIVE_CLOSED, 10)))
        .containsExactly("2026-01-02");
  }

  // C20, W9
  @Test
  void lateDataRedoesItsWindowAndEachOneAfterItInOrder() {
    RegisteredPipeline pipeline = chain("late");

    ledger.observe(pipeline, "2026-01-03", "v2");
    assertThat(ledger.run(pipeline, FIVE_CLOSED))
        .containsExactly("2026-01-03", "2026-01-04", "2026-01-05");
    assertThat(ledger.run(pipeline, FIVE_CLOSED)).as("nothing new").isEmpty();
  }

  // C20: each commit names the one that it was built on
  @Test
  void aCommitRecordsItsPredecessor() {
    RegisteredPipeline pipeline = chain("recorded");

    assertThat(ledger.row(pipeline, "2026-01-01")).containsEntry("predecessor", "0");
    for (int day = 1; day < FIVE.size(); day++) {
      assertThat(ledger.row(pipeline, FIVE.get(day)).get("predecessor"))
          .isEqualTo(ledger.row(pipeline, FIVE.get(day - 1)).get("committed_token"));
    }
  }

  // C20: late data twice, the second time while the first is being worked in
  @Test
  void whatComesLateAgainIsWorkedInOnce() {
    RegisteredPipeline pipeline = chain("twice");

    ledger.observe(pipeline, "2026-01-02", "v2");
    ledger.commit(ledger.claim(pipeline, FIVE_CLOSED, 10).get(0));
    ledger.commit(ledger.claim(pipeline, FIVE_CLOSED, 10).get(0));
    ledger.observe(pipeline, "2026-01-01", "v2");

    assertThat(ledger.run(pipeline, FIVE_CLOSED)).isEqualTo(FIVE);
    assertThat(ledger.row(pipeline, "2026-01-05")).containsEntry("attempts", "2");
  }

  // C20: the window that runs has read the older state
  @Test
  void aWindowThatRanBesideItsPredecessorIsMadeAgain() {
    RegisteredPipeline pipeline = chain("beside");
    ledger.observe(pipeline, "2026-01-04", "v2");
    Claim fourth = ledger.claim(pipeline, FIVE_CLOSED, 10).get(0);
    Begin.Begun begun = ledger.begin(fourth);

    ledger.observe(pipeline, "2026-01-03", "v2");
    ledger.commit(ledger.claim(pipeline, FIVE_CLOSED, 10).get(0));
    ledger.attempts.observed(begun.token(), "v2", ledger.observations.now());
    ledger.attempts.commit(begun.token(), Ledger.NOTHING, null);

    assertThat(ledger.run(pipeline, FIVE_CLOSED)).containsExactly("2026-01-04", "2026-01-05");
  }

  // C21: late data beyond what is accepted is not run, nor is what was built on it
  @Test
  void acceptBoundsTheChain() {
    RegisteredPipeline pipeline =
        ledger.ready(Pipelines.daily("bound").stateful(Period.ofDays(2)), FIVE_CLOSED);
    ledger.run(pipeline, FIVE_CLOSED);

    ledger.observe(pipeline, "2026-01-01", "v2");
    assertThat(ledger.run(pipeline, FIVE_CLOSED)).as("too late").isEmpty();

    ledger.request(pipeline, "bound-late", false, "2026-01-01");
    assertThat(ledger.run(pipeline, FIVE_CLOSED)).containsExactly("2026-01-01");
    ledger.request(pipeline, "bound-next", false, "2026-01-02");
    assertThat(ledger.run(pipeline, FIVE_CLOSED))
        .as("the newest window that is accepted, and what follows")
        .containsExactly("2026-01-02", "2026-01-03", "2026-01-04", "2026-01-05");
  }

  // C19, c-B19: a parked window stops the chain, visibly
  @Test
  void aParkedWindowStopsTheChainUntilItIsRetried() {
    RegisteredPipeline pipeline = parkedSecond("parked");
    assertThat(ledger.run(pipeline, FIVE_CLOSED)).isEmpty();

    new Interventions(database.dataSource()).retry(pipeline, List.of("2026-01-02"), Slice.EMPTY);
    assertThat(ledger.run(pipeline, FIVE_CLOSED)).isEqualTo(FIVE.subList(1, 5));
  }

  // C19
  @Test
  void anExcusedWindowIsPassedOver() {
    RegisteredPipeline pipeline = parkedSecond("excused");

    var interventions = new Interventions(database.dataSource());
    interventions.excuse(pipeline, List.of("2026-01-02"), Slice.EMPTY, "lost");
    assertThat(ledger.run(pipeline, FIVE_CLOSED)).isEqualTo(FIVE.subList(2, 5));
    assertThat(ledger.row(pipeline, "2026-01-03").get("predecessor"))
        .isEqualTo(ledger.row(pipeline, "2026-01-01").get("committed_token"));

    interventions.unexcuse(pipeline, List.of("2026-01-02"), Slice.EMPTY, "found");
    interventions.retry(pipeline, List.of("2026-01-02"), Slice.EMPTY);
    assertThat(ledger.run(pipeline, FIVE_CLOSED))
        .as("it is back, and what follows was built without it")
        .isEqualTo(FIVE.subList(1, 5));
  }

  private static RegisteredPipeline parkedSecond(String name) {
    RegisteredPipeline pipeline = ledger.ready(stateful(name), FIVE_CLOSED);
    ledger.commit(ledger.claim(pipeline, FIVE_CLOSED, 1).get(0));
    Begin.Begun second = ledger.begin(ledger.claim(pipeline, FIVE_CLOSED, 1).get(0));
    ledger.attempts.fail(second.token(), FailureKind.BAD_DATA, "no good", null);
    return pipeline;
  }

  // C19: what the catch-up policy skips holds nothing up
  @Test
  void aSkippedWindowIsPassedOver() {
    RegisteredPipeline pipeline =
        ledger.ready(stateful("skipped").catchUp(new CatchUp.Newest(1)), "2026-01-02T00:00:00Z");
    ledger.run(pipeline, "2026-01-02T00:00:00Z");

    ledger.bringUpTo(pipeline, FIVE_CLOSED);
    assertThat(ledger.run(pipeline, FIVE_CLOSED)).containsExactly("2026-01-05");
    assertThat(ledger.row(pipeline, "2026-01-05").get("predecessor"))
        .isEqualTo(ledger.row(pipeline, "2026-01-01").get("committed_token"));

    ledger.request(pipeline, "skipped-asked", false, "2026-01-03");
    assertThat(ledger.run(pipeline, FIVE_CLOSED))
        .as("asked for, it counts from now on")
        .containsExactly("2026-01-03", "2026-01-05");
  }

  // C20: per slice
  @Test
  void slicesDoNotWaitForEachOther() {
    RegisteredPipeline pipeline =
        ledger.ready(
            stateful("slices").slices(null, Slices.of("unit", "a", "b")), "2026-01-04T00:00:00Z");

    List<Claim> first = ledger.claim(pipeline, "2026-01-04T00:00:00Z", 10);
    assertThat(first)
        .extracting(Claim::partition, Claim::slice)
        .containsExactly(
            org.assertj.core.api.Assertions.tuple("2026-01-01", "unit=a"),
            org.assertj.core.api.Assertions.tuple("2026-01-01", "unit=b"));
    ledger.commit(first.get(1));
    assertThat(ledger.claim(pipeline, "2026-01-04T00:00:00Z", 10))
        .extracting(Claim::partition, Claim::slice)
        .containsExactly(org.assertj.core.api.Assertions.tuple("2026-01-02", "unit=b"));
  }

  // A20, C20: history added before the first window
  @Test
  void whatIsAddedBeforeTheFirstWindowRedoesTheRest() {
    RegisteredPipeline pipeline = chain("earlier");
    RegisteredPipeline longer =
        ledger.ready(
            stateful("earlier")
                .partitions(dev.tidemark.workflows.partition.Grain.DAY, "UTC", "2025-12-31", null),
            FIVE_CLOSED);

    List<String> expected = new ArrayList<>(List.of("2025-12-31"));
    expected.addAll(FIVE);
    assertThat(longer.id()).isEqualTo(pipeline.id());
    assertThat(ledger.run(longer, FIVE_CLOSED)).isEqualTo(expected);
  }

  // Retention takes the first windows away; what was built on them stays as it is.
  @Test
  void retentionRedoesNothing() {
    RegisteredPipeline pipeline =
        ledger.ready(stateful("kept").keep(Period.ofDays(2)), FIVE_CLOSED);
    assertThat(ledger.run(pipeline, FIVE_CLOSED)).isEqualTo(FIVE.subList(2, 5));

    ledger.bringUpTo(pipeline, "2026-01-08T00:00:00Z");
    assertThat(ledger.run(pipeline, "2026-01-08T00:00:00Z"))
        .containsExactly("2026-01-06", "2026-01-07");
  }

  // Nothing reruns by itself, and what changes from now on is worked in.
  @Test
  void aPipelineMayBecomeStateful() {
    RegisteredPipeline before = ledger.ready(Pipelines.daily("becomes"), FIVE_CLOSED);
    ledger.run(before, FIVE_CLOSED);

    RegisteredPipeline now = ledger.ready(stateful("becomes"), FIVE_CLOSED);
    assertThat(ledger.run(now, FIVE_CLOSED)).isEmpty();
    ledger.observe(now, "2026-01-04", "v2");
    assertThat(ledger.run(now, FIVE_CLOSED)).containsExactly("2026-01-04", "2026-01-05");

    RegisteredPipeline after = ledger.ready(Pipelines.daily("becomes"), FIVE_CLOSED);
    ledger.observe(after, "2026-01-04", "v3");
    assertThat(ledger.run(after, FIVE_CLOSED)).containsExactly("2026-01-04");
  }

  // C20, C12: due by lookback or by its definition, but what comes before it is not known yet
  @Test
  void nothingOfAPipelineThatBecameStatefulRunsBeforeItsWindowsAreLinked() {
    Pipelines lookingBack = Pipelines.daily("not-linked").lookback(1);
    ledger.run(ledger.ready(lookingBack, FOUR_CLOSED), FOUR_CLOSED);
    RegisteredPipeline now = ledger.register(stateful("not-linked").lookback(1));
    assertThat(ledger.claim(now, FIVE_CLOSED, 10)).isEmpty();

    ledger.bringUpTo(now, FIVE_CLOSED);
    assertThat(ledger.run(now, FIVE_CLOSED)).containsExactly("2026-01-04", "2026-01-05");

    RegisteredPipeline stateless = ledger.ready(Pipelines.daily("not-linked"), FIVE_CLOSED);
    assertThat(ledger.run(stateless, FIVE_CLOSED)).isEmpty();
    RegisteredPipeline another =
        ledger.register(
            stateful("not-linked").onDefinitionChange(OnDefinitionChange.RERUN).command("other"));
    assertThat(ledger.claim(another, FIVE_CLOSED, 10)).isEmpty();

    ledger.bringUpTo(another, FIVE_CLOSED);
    assertThat(ledger.run(another, FIVE_CLOSED)).isEqualTo(FIVE);
  }

  // C20: identical content does not stop a chain; a request does what late data does
  @Test
  void aWindowAskedForAgainRedoesWhatFollowsUnlessOnlyRequestsAreServed() {
    RegisteredPipeline pipeline = chain("asked");
    ledger.request(pipeline, "asked-again", true, "2026-01-02");

    List<Claim> asked = ledger.claim(pipeline, Scope.REQUESTED, FIVE_CLOSED, 10);
    assertThat(Ledger.labels(asked)).containsExactly("2026-01-02");
    ledger.commit(asked.get(0));
    assertThat(ledger.claim(pipeline, Scope.REQUESTED, FIVE_CLOSED, 10)).isEmpty();

    List<Claim> next = ledger.claim(pipeline, FIVE_CLOSED, 10);
    assertThat(Ledger.labels(next)).containsExactly("2026-01-03");
    assertThat(ledger.row(pipeline, "2026-01-03"))
        .containsEntry("claim_reason", Reason.CHAIN.code());
  }

  // C20, A15: a rebuilt ledger knows from the manifests what was built on what
  @Test
  void whatIsTakenInKeepsItsPredecessor() {
    RegisteredPipeline pipeline = ledger.ready(stateful("taken-in"), FIVE_CLOSED);
    List<TakenIn> found = new ArrayList<>();
    List<OutputRow> rows = new Outputs(database.dataSource()).rows(pipeline, FIVE, Slice.EMPTY);
    for (int day = 0; day < FIVE.size(); day++) {
      // The third was built on an older second.
      Long predecessor = day == 0 ? null : day == 2 ? 7L : 100L + day;
      found.add(
          new TakenIn(
              rows.get(day),
              101L + day,
              TakenIn.Versions.UNKNOWN,
              new TakenIn.Made(null, null, predecessor, 1, pipeline.fingerprint()),
              new TakenIn.Size(null, 0, null, null),
              "out"));
    }

    assertThat(new TakingIn(database.dataSource()).takeIn(pipeline, found, null)).isEqualTo(5);
    assertThat(ledger.run(pipeline, FIVE_CLOSED)).isEqualTo(FIVE.subList(2, 5));
  }

  // C20: the view says it too
  @Test
  void theViewNamesTheChain() {
    RegisteredPipeline pipeline = chain("viewed");
    ledger.observe(pipeline, "2026-01-04", "v2");
    ledger.commit(ledger.claim(pipeline, FIVE_CLOSED, 1).get(0));

    assertThat(
            ledger.query(
                "select reason from partition_state where pipeline = 'viewed' and partition = '2026-01-05'"))
        .isEqualTo("chain");
  }
}
