package dev.tidemark.activities.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.ledger.Interventions;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillRequest.Mode;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.partition.Slice;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Overlapping requests merge per partition, and each sees its own progress. */
class BackfillsTest {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

  private final LedgerScene scene = new LedgerScene();
  private final Backfills backfills = new Backfills(scene.dataSource);
  private final RegisteredPipeline pipeline = scene.daily("sales");

  @AfterEach
  void close() {
    scene.close();
  }

  // Invariant 11, c-A1
  @Test
  void overlappingBackfillsMergeAndEachSeesItsOwnProgress() {
    scene.rows(pipeline, "2026-03-01", "2026-03-05");
    BackfillView first = request("2026-03-01", "2026-03-03", Mode.ALL);
    BackfillView second = request("2026-03-03", "2026-03-05", Mode.ALL);

    assertThat(first.partitions()).isEqualTo(3);
    assertThat(first.alreadyRequested()).isZero();
    assertThat(second.alreadyRequested()).isEqualTo(1);
    assertThat(scene.get("2026-03-03", "requested_gen")).isEqualTo("1");

    run("2026-03-03");
    assertThat(find(first).completed()).isEqualTo(1);
    assertThat(find(second).completed()).isEqualTo(1);
    assertThat(find(first).state()).isEqualTo(BackfillView.State.RUNNING);

    run("2026-03-01");
    run("2026-03-02");
    assertThat(find(first).state()).isEqualTo(BackfillView.State.COMPLETED);
    assertThat(find(second).state()).isEqualTo(BackfillView.State.RUNNING);
  }

  // Invariant 11: starts do not count
  @Test
  void aStartedPartitionIsNotProgress() {
    scene.rows(pipeline, "2026-03-01", "2026-03-01");
    BackfillView backfill = request("2026-03-01", "2026-03-01", Mode.MISSING);
    scene.claim("2026-03-01", "live");
    scene.begin("2026-03-01");
    assertThat(find(backfill).completed()).isZero();
    scene.commit("2026-03-01");
    assertThat(find(backfill).completed()).isEqualTo(1);
  }

  // c-C14
  @Test
  void theDefaultModeLeavesOutWhatIsCommitted() {
    scene.rows(pipeline, "2026-03-01", "2026-03-03");
    scene.commit("2026-03-02");
    BackfillView backfill = request("2026-03-01", "2026-03-03", null);
    assertThat(backfill.partitions()).isEqualTo(2);
    assertThat(scene.get("2026-03-02", "asked")).isEqualTo("false");
  }

  // c-A9; invariant 5
  @Test
  void aRequestForMissingJoinsTheRunningAttempt() {
    scene.rows(pipeline, "2026-03-01", "2026-03-01");
    scene.claim("2026-03-01", "live");
    scene.begin("2026-03-01");
    BackfillView backfill = request("2026-03-01", "2026-03-01", Mode.MISSING);
    assertThat(backfill.alreadyRequested()).isEqualTo(1);
    scene.commit("2026-03-01");
    assertThat(find(backfill).state()).isEqualTo(BackfillView.State.COMPLETED);
    assertThat(scene.get("2026-03-01", "asked")).isEqualTo("false");
  }

  // Invariant 5
  @Test
  void aRequestForAllWhileItRunsMakesItRunOnceMore() {
    scene.rows(pipeline, "2026-03-01", "2026-03-01");
    scene.claim("2026-03-01", "live");
    scene.begin("2026-03-01");
    BackfillView first = request("2026-03-01", "2026-03-01", Mode.ALL);
    BackfillView second = request("2026-03-01", "2026-03-01", Mode.ALL);
    scene.commit("2026-03-01");
    assertThat(find(first).completed()).isZero();
    assertThat(scene.get("2026-03-01", "asked")).isEqualTo("true");
    run("2026-03-01");
    assertThat(find(first).state()).isEqualTo(BackfillView.State.COMPLETED);
    assertThat(find(second).state()).isEqualTo(BackfillView.State.COMPLETED);
    assertThat(scene.get("2026-03-01", "asked")).isEqualTo("false");
  }

  // A17, A22: before its slice begins, and after it ended
  @Test
  void whatItsSliceDoesNotHaveIsCancelledWithItsReason() {
    scene.rows(pipeline, "2026-03-01", "2026-03-03");
    scene.set("2026-03-01", "expected = false");
    scene.set("2026-03-03", "expected = false");
    scene.run("update tidemark.expected_slice set since = '2026-03-02Z', until = '2026-03-03Z'");

    request("2026-03-01", "2026-03-03", Mode.MISSING);

    assertThat(
            scene.text(
                "select string_agg(cancelled_because, ',' order by row_id) from tidemark.backfill_item"))
        .isEqualTo("before_since,after_end");
  }

  @Test
  void whatCannotRunIsCancelledWithItsReason() {
    scene.rows(pipeline, "2026-03-01", "2026-03-04");
    scene.set("2026-03-01", "no_input = true");
    scene.set("2026-03-02", "excused_at = now(), excuse = 'x'");
    scene.set("2026-03-03", "expected = false");
    scene.run("update tidemark.expected_slice set since = '2026-03-04Z', retained = true");
    BackfillView backfill = request("2026-03-01", "2026-03-04", Mode.MISSING);
    assertThat(backfill.partitions()).isEqualTo(4);
    assertThat(backfill.cancelled()).isEqualTo(3);
    assertThat(
            scene.text(
                "select string_agg(cancelled_because, ',' order by row_id) from tidemark.backfill_item"))
        .isEqualTo("no_input,excused,retained_out");
    assertThat(scene.get("2026-03-01", "asked")).isEqualTo("false");
    run("2026-03-04");
    assertThat(find(backfill).state()).isEqualTo(BackfillView.State.COMPLETED);
  }

  @Test
  void aPersonsRequestGivesItsRowsAFreshStart() {
    scene.rows(pipeline, "2026-03-01", "2026-03-01");
    scene.set(
        "2026-03-01",
        """
        parked_at = now(), failed_claims = 10, failures = 2, lost = 3, failed_version = 'v1',
        next_attempt_at = now() + interval '1 day'
        """);
    request("2026-03-01", "2026-03-01", Mode.FAILED);
    assertThat(scene.get("2026-03-01", "state")).isEqualTo("queued");
    assertThat(scene.get("2026-03-01", "parked_at")).isNull();
    assertThat(scene.get("2026-03-01", "next_attempt_at")).isNull();
    assertThat(scene.get("2026-03-01", "failures + failed_claims + lost")).isEqualTo("0");
  }

  // c-D11
  @Test
  void modesChooseTheirRows() {
    scene.rows(pipeline, "2026-03-01", "2026-03-05");
    for (int day = 2; day <= 5; day++) {
      scene.commit("2026-03-0" + day);
    }
    scene.set("2026-03-03", "input_version = 'newer'");
    scene.set("2026-03-04", "definition = 'f0'");
    scene.set("2026-03-05", "failed_claims = 1, next_attempt_at = now()");
    assertThat(preview(Mode.MISSING)).isEqualTo("2026-03-05 2026-03-01");
    assertThat(preview(Mode.FAILED)).isEqualTo("2026-03-05");
    assertThat(preview(Mode.LATE)).isEqualTo("2026-03-03");
    assertThat(preview(Mode.STALE)).isEqualTo("2026-03-04");
    assertThat(preview(Mode.ALL))
        .isEqualTo("2026-03-05 2026-03-04 2026-03-03 2026-03-02 2026-03-01");

    new Interventions(scene.dataSource).retry(pipeline, List.of(), Slice.EMPTY);
    assertThat(preview(Mode.FAILED)).as("a retry does not hide it").isEqualTo("2026-03-05");
  }

  private String preview(Mode mode) {
    return String.join(
        " ",
        Objects.requireNonNull(
                backfills.preview(pipeline, asked("2026-03-01", "2026-03-05", mode)).items())
            .stream()
            .map(BackfillView.Item::partition)
            .toList());
  }

  // c-C15
  @Test
  void aDryRunEqualsTheRealListAndChangesNothing() {
    scene.rows(pipeline, "2026-03-01", "2026-03-09");
    scene.commit("2026-03-02");
    request("2026-03-03", "2026-03-04", Mode.ALL);
    String before = scene.everything();
    BackfillRequest asked = asked("2026-03-01", "2026-03-09", Mode.MISSING);
    BackfillView dry = backfills.preview(pipeline, asked);
    assertThat(scene.everything()).isEqualTo(before);

    BackfillView real = backfills.request(pipeline, asked);
    assertThat(dry.backfillId()).isNull();
    assertThat(dry.partitions()).isEqualTo(real.partitions()).isEqualTo(8);
    assertThat(dry.alreadyRequested()).isEqualTo(real.alreadyRequested()).isEqualTo(2);
    assertThat(dry.items()).hasSize(8);
  }

  @Test
  void theSameRequestAgainIsTheSameBackfill() {
    scene.rows(pipeline, "2026-03-01", "2026-03-02");
    BackfillRequest asked =
        new BackfillRequest(
            "r-1", "2026-03-01", "2026-03-02", null, Mode.ALL, null, null, null, null, null, NOW);
    BackfillView first = backfills.request(pipeline, asked);
    run("2026-03-01");
    BackfillView again = backfills.request(pipeline, asked);
    assertThat(again.backfillId()).isEqualTo(first.backfillId()).matches("bf-\\d{8}-[a-z0-9]{6}");
    assertThat(again.completed()).isEqualTo(1);
    assertThat(scene.get("2026-03-01", "asked")).isEqualTo("false");
  }

  @Test
  void parametersThatDifferFromAnActiveRequestsAreRefused() {
    scene.rows(pipeline, "2026-03-01", "2026-03-03");
    BackfillView first = backfills.request(pipeline, withParams("2026-03-02", Map.of("k", "1")));
    String before = scene.everything();
    for (Map<String, String> params :
        java.util.List.of(Map.of("k", "2"), Map.<String, String>of())) {
      assertThatThrownBy(() -> backfills.request(pipeline, withParams("2026-03-02", params)))
          .isInstanceOfSatisfying(
              LedgerRefusal.class,
              refusal -> {
                assertThat(refusal.kind()).isEqualTo(LedgerRefusal.Kind.REFUSED);
                assertThat(refusal.field()).isEqualTo("params");
                assertThat(refusal).hasMessageContaining(id(first));
              });
    }
    assertThat(scene.everything()).isEqualTo(before);
    backfills.request(pipeline, withParams("2026-03-02", Map.of("k", "1")));
    run("2026-03-01");
    run("2026-03-02");
    backfills.request(pipeline, withParams("2026-03-02", Map.of("k", "2")));
  }

  /** What it asks for is still asked for: one run could not serve both. */
  @Test
  void parametersThatDifferFromAFailedRequestsAreRefused() {
    scene.rows(pipeline, "2026-03-01", "2026-03-01");
    BackfillView first = backfills.request(pipeline, withParams("2026-03-01", Map.of("k", "1")));
    scene.set("2026-03-01", "parked_at = now(), failed_claims = 10");
    assertThat(find(first).state()).isEqualTo(BackfillView.State.FAILED);
    assertThatThrownBy(
            () -> backfills.request(pipeline, withParams("2026-03-01", Map.of("k", "2"))))
        .hasMessageContaining(id(first));
    backfills.cancel(id(first), false);
    backfills.request(pipeline, withParams("2026-03-01", Map.of("k", "2")));
  }

  private BackfillRequest withParams(String to, Map<String, String> params) {
    return new BackfillRequest(
        null, "2026-03-01", to, null, Mode.ALL, null, null, null, params, null, NOW);
  }

  @Test
  void aRejectedRequestIsKeptWithItsError() {
    BackfillView rejected =
        backfills.reject(pipeline, asked("2026-13-01", "x", Mode.ALL), "from: no such month");
    assertThat(rejected.state()).isEqualTo(BackfillView.State.REJECTED);
    assertThat(rejected.error()).isEqualTo("from: no such month");
    assertThat(backfills.list()).containsExactly(rejected);
  }

  // c-A20; invariant 8, c-H1, c-H4: the list is pinned
  @Test
  void rowsThatAppearLaterAreNotPartOfIt() {
    scene.rows(pipeline, "2026-03-01", "2026-03-02");
    BackfillView backfill = request("2026-03-01", "2026-03-05", Mode.ALL);
    scene.rows(pipeline, "2026-03-03", "2026-03-05");
    assertThat(find(backfill).partitions()).isEqualTo(2);
  }

  // c-B11, c-C19, c-G7
  @Test
  void twentyThousandPartitionsAreOneRequest() {
    scene.run(
        """
        insert into tidemark.partition_ledger
            (pipeline_id, slice, partition, window_start, window_end)
        select ?, 'unit=' || u, to_char(d at time zone 'UTC', 'YYYY-MM-DD'), d,
               d + interval '24 hours'
          from generate_series('2026-01-01T00:00:00Z'::timestamptz, '2026-07-19T00:00:00Z',
                   interval '24 hours') d,
               generate_series(1, 100) u
        """,
        pipeline.id());
    BackfillView backfill = request("2026-01-01", "2026-07-19", Mode.ALL);
    assertThat(backfill.partitions()).isEqualTo(20_000);
    assertThat(scene.number("select count(*) from tidemark.partition_ledger where asked"))
        .isEqualTo(20_000);
    assertThat(backfills.cancel(id(backfill), false).cancelled()).isEqualTo(20_000);
    assertThat(scene.number("select count(*) from tidemark.partition_ledger where asked")).isZero();
  }

  // c-A2: disjoint ranges run together, and a cancel of one is not seen by the other
  @Test
  void disjointRangesDoNotMeet() {
    scene.rows(pipeline, "2026-03-01", "2026-03-04");
    BackfillView first = request("2026-03-01", "2026-03-02", Mode.ALL);
    BackfillView second = request("2026-03-03", "2026-03-04", Mode.ALL);
    assertThat(second.alreadyRequested()).isZero();
    backfills.cancel(id(first), true);
    assertThat(scene.number("select count(*) from tidemark.partition_ledger where asked"))
        .isEqualTo(2);
    assertThat(find(second).state()).isEqualTo(BackfillView.State.REQUESTED);
  }

  // c-A4
  @Test
  void anotherPipelineIsLeftAlone() {
    RegisteredPipeline other = scene.daily("other");
    scene.rows(pipeline, "2026-03-01", "2026-03-02");
    scene.rows(other, "2026-03-01", "2026-03-02");
    request("2026-03-01", "2026-03-02", Mode.ALL);
    assertThat(
            scene.number(
                "select count(*) from tidemark.partition_ledger where asked and pipeline_id = ?",
                other.id()))
        .isZero();
  }

  private BackfillView request(String from, String to, @Nullable Mode mode) {
    return backfills.request(pipeline, asked(from, to, mode));
  }

  private static BackfillRequest asked(String from, String to, @Nullable Mode mode) {
    return new BackfillRequest(
        null, from, to, null, mode, null, null, "because", null, "someone", NOW);
  }

  private void run(String partition) {
    scene.claim(partition, "backfill");
    scene.begin(partition);
    scene.commit(partition);
  }

  private BackfillView find(BackfillView backfill) {
    return backfills.find(id(backfill)).orElseThrow();
  }

  private static String id(BackfillView backfill) {
    return Objects.requireNonNull(backfill.backfillId());
  }
}
