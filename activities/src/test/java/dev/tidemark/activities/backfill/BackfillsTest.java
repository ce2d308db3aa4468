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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Overlapping requests merge per partition, and each sees its own progress. */
class BackfillsTest {
  private final AskedDays days = new AskedDays();

  @AfterEach
  void close() {
    days.scene.close();
  }

  // Invariant 11, c-A1
  @Test
  void overlappingBackfillsMergeAndEachSeesItsOwnProgress() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-05");
    BackfillView first = days.request("2026-03-01", "2026-03-03", Mode.ALL);
    BackfillView second = days.request("2026-03-03", "2026-03-05", Mode.ALL);

    assertThat(first.partitions()).isEqualTo(3);
    assertThat(first.alreadyRequested()).isZero();
    assertThat(second.alreadyRequested()).isEqualTo(1);
    assertThat(days.scene.get("2026-03-03", "requested_gen")).isEqualTo("1");

    days.run("2026-03-03");
    assertThat(days.find(first).completed()).isEqualTo(1);
    assertThat(days.find(second).completed()).isEqualTo(1);
    assertThat(days.find(first).state()).isEqualTo(BackfillView.State.RUNNING);

    days.run("2026-03-01");
    days.run("2026-03-02");
    assertThat(days.find(first).state()).isEqualTo(BackfillView.State.COMPLETED);
    assertThat(days.find(second).state()).isEqualTo(BackfillView.State.RUNNING);
  }

  // Invariant 11: starts do not count
  @Test
  void aStartedPartitionIsNotProgress() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-01");
    BackfillView backfill = days.request("2026-03-01", "2026-03-01", Mode.MISSING);
    days.scene.claim("2026-03-01", "live");
    days.scene.begin("2026-03-01");
    assertThat(days.find(backfill).completed()).isZero();
    days.scene.commit("2026-03-01");
    assertThat(days.find(backfill).completed()).isEqualTo(1);
  }

  // c-C14
  @Test
  void theDefaultModeLeavesOutWhatIsCommitted() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-03");
    days.scene.commit("2026-03-02");
    BackfillView backfill = days.request("2026-03-01", "2026-03-03", null);
    assertThat(backfill.partitions()).isEqualTo(2);
    assertThat(days.scene.get("2026-03-02", "asked")).isEqualTo("false");
  }

  // c-A9; invariant 5
  @Test
  void aRequestForMissingJoinsTheRunningAttempt() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-01");
    days.scene.claim("2026-03-01", "live");
    days.scene.begin("2026-03-01");
    BackfillView backfill = days.request("2026-03-01", "2026-03-01", Mode.MISSING);
    assertThat(backfill.alreadyRequested()).isEqualTo(1);
    days.scene.commit("2026-03-01");
    assertThat(days.find(backfill).state()).isEqualTo(BackfillView.State.COMPLETED);
    assertThat(days.scene.get("2026-03-01", "asked")).isEqualTo("false");
  }

  // Invariant 5
  @Test
  void aRequestForAllWhileItRunsMakesItRunOnceMore() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-01");
    days.scene.claim("2026-03-01", "live");
    days.scene.begin("2026-03-01");
    BackfillView first = days.request("2026-03-01", "2026-03-01", Mode.ALL);
    BackfillView second = days.request("2026-03-01", "2026-03-01", Mode.ALL);
    days.scene.commit("2026-03-01");
    assertThat(days.find(first).completed()).isZero();
    assertThat(days.scene.get("2026-03-01", "asked")).isEqualTo("true");
    days.run("2026-03-01");
    assertThat(days.find(first).state()).isEqualTo(BackfillView.State.COMPLETED);
    assertThat(days.find(second).state()).isEqualTo(BackfillView.State.COMPLETED);
    assertThat(days.scene.get("2026-03-01", "asked")).isEqualTo("false");
  }

  // A17, A22: before its slice begins, and after it ended
  @Test
  void whatItsSliceDoesNotHaveIsCancelledWithItsReason() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-03");
    days.scene.set("2026-03-01", "expected = false");
    days.scene.set("2026-03-03", "expected = false");
    days.scene.run(
        "update tidemark.expected_slice set since = '2026-03-02Z', until = '2026-03-03Z'");

    days.request("2026-03-01", "2026-03-03", Mode.MISSING);

    assertThat(
            days.scene.text(
                "select string_agg(cancelled_because, ',' order by row_id) from tidemark.backfill_item"))
        .isEqualTo("before_since,after_end");
  }

  @Test
  void whatCannotRunIsCancelledWithItsReason() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-04");
    days.scene.set("2026-03-01", "no_input = true");
    days.scene.set("2026-03-02", "excused_at = now(), excuse = 'x'");
    days.scene.set("2026-03-03", "expected = false");
    days.scene.run("update tidemark.expected_slice set since = '2026-03-04Z', retained = true");
    BackfillView backfill = days.request("2026-03-01", "2026-03-04", Mode.MISSING);
    assertThat(backfill.partitions()).isEqualTo(4);
    assertThat(backfill.cancelled()).isEqualTo(3);
    assertThat(
            days.scene.text(
                "select string_agg(cancelled_because, ',' order by row_id) from tidemark.backfill_item"))
        .isEqualTo("no_input,excused,retained_out");
    assertThat(days.scene.get("2026-03-01", "asked")).isEqualTo("false");
    days.run("2026-03-04");
    assertThat(days.find(backfill).state()).isEqualTo(BackfillView.State.COMPLETED);
  }

  @Test
  void aPersonsRequestGivesItsRowsAFreshStart() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-01");
    days.scene.set(
        "2026-03-01",
        """
        parked_at = now(), failed_claims = 10, failures = 2, lost = 3, failed_version = 'v1',
        next_attempt_at = now() + interval '1 day'
        """);
    days.request("2026-03-01", "2026-03-01", Mode.FAILED);
    assertThat(days.scene.get("2026-03-01", "state")).isEqualTo("queued");
    assertThat(days.scene.get("2026-03-01", "parked_at")).isNull();
    assertThat(days.scene.get("2026-03-01", "next_attempt_at")).isNull();
    assertThat(days.scene.get("2026-03-01", "failures + failed_claims + lost")).isEqualTo("0");
  }

  // c-D11
  @Test
  void modesChooseTheirRows() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-05");
    for (int day = 2; day <= 5; day++) {
      days.scene.commit("2026-03-0" + day);
    }
    days.scene.set("2026-03-03", "input_version = 'newer'");
    days.scene.set("2026-03-04", "definition = 'f0'");
    days.scene.set("2026-03-05", "failed_claims = 1, next_attempt_at = now()");
    assertThat(preview(Mode.MISSING)).isEqualTo("2026-03-05 2026-03-01");
    assertThat(preview(Mode.FAILED)).isEqualTo("2026-03-05");
    assertThat(preview(Mode.LATE)).isEqualTo("2026-03-03");
    assertThat(preview(Mode.STALE)).isEqualTo("2026-03-04");
    assertThat(preview(Mode.ALL))
        .isEqualTo("2026-03-05 2026-03-04 2026-03-03 2026-03-02 2026-03-01");

    new Interventions(days.scene.dataSource).retry(days.pipeline, List.of(), Slice.EMPTY);
    assertThat(preview(Mode.FAILED)).as("a retry does not hide it").isEqualTo("2026-03-05");
  }

  private String preview(Mode mode) {
    return String.join(
        " ",
        Objects.requireNonNull(
                days.backfills
                    .preview(days.pipeline, AskedDays.asked("2026-03-01", "2026-03-05", mode))
                    .items())
            .stream()
            .map(BackfillView.Item::partition)
            .toList());
  }

  // c-C15
  @Test
  void aDryRunEqualsTheRealListAndChangesNothing() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-09");
    days.scene.commit("2026-03-02");
    days.request("2026-03-03", "2026-03-04", Mode.ALL);
    String before = days.scene.everything();
    BackfillRequest asked = AskedDays.asked("2026-03-01", "2026-03-09", Mode.MISSING);
    BackfillView dry = days.backfills.preview(days.pipeline, asked);
    assertThat(days.scene.everything()).isEqualTo(before);

    BackfillView real = days.backfills.request(days.pipeline, asked);
    assertThat(dry.backfillId()).isNull();
    assertThat(dry.partitions()).isEqualTo(real.partitions()).isEqualTo(8);
    assertThat(dry.alreadyRequested()).isEqualTo(real.alreadyRequested()).isEqualTo(2);
    assertThat(dry.items()).hasSize(8);
  }

  @Test
  void theSameRequestAgainIsTheSameBackfill() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-02");
    BackfillRequest asked =
        new BackfillRequest(
            "r-1",
            "2026-03-01",
            "2026-03-02",
            null,
            Mode.ALL,
            null,
            null,
            null,
            null,
            null,
            AskedDays.NOW);
    BackfillView first = days.backfills.request(days.pipeline, asked);
    days.run("2026-03-01");
    BackfillView again = days.backfills.request(days.pipeline, asked);
    assertThat(again.backfillId()).isEqualTo(first.backfillId()).matches("bf-\\d{8}-[a-z0-9]{6}");
    assertThat(again.completed()).isEqualTo(1);
    assertThat(days.scene.get("2026-03-01", "asked")).isEqualTo("false");
  }

  @Test
  void parametersThatDifferFromAnActiveRequestsAreRefused() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-03");
    BackfillView first =
        days.backfills.request(days.pipeline, withParams("2026-03-02", Map.of("k", "1")));
    String before = days.scene.everything();
    for (Map<String, String> params :
        java.util.List.of(Map.of("k", "2"), Map.<String, String>of())) {
      assertThatThrownBy(
              () -> days.backfills.request(days.pipeline, withParams("2026-03-02", params)))
          .isInstanceOfSatisfying(
              LedgerRefusal.class,
              refusal -> {
                assertThat(refusal.kind()).isEqualTo(LedgerRefusal.Kind.REFUSED);
                assertThat(refusal.field()).isEqualTo("params");
                assertThat(refusal).hasMessageContaining(AskedDays.id(first));
              });
    }
    assertThat(days.scene.everything()).isEqualTo(before);
    days.backfills.request(days.pipeline, withParams("2026-03-02", Map.of("k", "1")));
    days.run("2026-03-01");
    days.run("2026-03-02");
    days.backfills.request(days.pipeline, withParams("2026-03-02", Map.of("k", "2")));
  }

  /** What it asks for is still asked for: one run could not serve both. */
  @Test
  void parametersThatDifferFromAFailedRequestsAreRefused() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-01");
    BackfillView first =
        days.backfills.request(days.pipeline, withParams("2026-03-01", Map.of("k", "1")));
    days.scene.set("2026-03-01", "parked_at = now(), failed_claims = 10");
    assertThat(days.find(first).state()).isEqualTo(BackfillView.State.FAILED);
    assertThatThrownBy(
            () -> days.backfills.request(days.pipeline, withParams("2026-03-01", Map.of("k", "2"))))
        .hasMessageContaining(AskedDays.id(first));
    days.backfills.cancel(AskedDays.id(first), false);
    days.backfills.request(days.pipeline, withParams("2026-03-01", Map.of("k", "2")));
  }

  private BackfillRequest withParams(String to, Map<String, String> params) {
    return new BackfillRequest(
        null, "2026-03-01", to, null, Mode.ALL, null, null, null, params, null, AskedDays.NOW);
  }

  @Test
  void aRejectedRequestIsKeptWithItsError() {
    BackfillView rejected =
        days.backfills.reject(
            days.pipeline, AskedDays.asked("2026-13-01", "x", Mode.ALL), "from: no such month");
    assertThat(rejected.state()).isEqualTo(BackfillView.State.REJECTED);
    assertThat(rejected.error()).isEqualTo("from: no such month");
    assertThat(days.backfills.list()).containsExactly(rejected);
  }

  // c-A20; invariant 8, c-H1, c-H4: the list is pinned
  @Test
  void rowsThatAppearLaterAreNotPartOfIt() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-02");
    BackfillView backfill = days.request("2026-03-01", "2026-03-05", Mode.ALL);
    days.scene.rows(days.pipeline, "2026-03-03", "2026-03-05");
    assertThat(days.find(backfill).partitions()).isEqualTo(2);
  }

  // c-B11, c-C19, c-G7
  @Test
  void twentyThousandPartitionsAreOneRequest() {
    days.scene.run(
        """
        insert into tidemark.partition_ledger
            (pipeline_id, slice, partition, window_start, window_end)
        select ?, 'unit=' || u, to_char(d at time zone 'UTC', 'YYYY-MM-DD'), d,
               d + interval '24 hours'
          from generate_series('2026-01-01T00:00:00Z'::timestamptz, '2026-07-19T00:00:00Z',
                   interval '24 hours') d,
               generate_series(1, 100) u
        """,
        days.pipeline.id());
    BackfillView backfill = days.request("2026-01-01", "2026-07-19", Mode.ALL);
    assertThat(backfill.partitions()).isEqualTo(20_000);
    assertThat(days.scene.number("select count(*) from tidemark.partition_ledger where asked"))
        .isEqualTo(20_000);
    assertThat(days.backfills.cancel(AskedDays.id(backfill), false).cancelled()).isEqualTo(20_000);
    assertThat(days.scene.number("select count(*) from tidemark.partition_ledger where asked"))
        .isZero();
  }

  // c-A2: disjoint ranges run together, and a cancel of one is not seen by the other
  @Test
  void disjointRangesDoNotMeet() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-04");
    BackfillView first = days.request("2026-03-01", "2026-03-02", Mode.ALL);
    BackfillView second = days.request("2026-03-03", "2026-03-04", Mode.ALL);
    assertThat(second.alreadyRequested()).isZero();
    days.backfills.cancel(AskedDays.id(first), true);
    assertThat(days.scene.number("select count(*) from tidemark.partition_ledger where asked"))
        .isEqualTo(2);
    assertThat(days.find(second).state()).isEqualTo(BackfillView.State.REQUESTED);
  }

  // c-A4
  @Test
  void anotherPipelineIsLeftAlone() {
    RegisteredPipeline other = days.scene.daily("other");
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-02");
    days.scene.rows(other, "2026-03-01", "2026-03-02");
    days.request("2026-03-01", "2026-03-02", Mode.ALL);
    assertThat(
            days.scene.number(
                "select count(*) from tidemark.partition_ledger where asked and pipeline_id = ?",
                other.id()))
        .isZero();
  }
}
