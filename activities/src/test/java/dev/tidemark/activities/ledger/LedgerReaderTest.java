package dev.tidemark.activities.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tidemark.activities.backfill.LedgerScene;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.planning.PartitionFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What people see of the ledger, and the little that they change by hand. */
class LedgerReaderTest {
  private static final Instant NOW = Instant.parse("2026-01-06T12:00:00Z");

  private final LedgerScene scene = new LedgerScene();
  private final LedgerReader reader = new LedgerReader(scene.dataSource);
  private final Interventions interventions = new Interventions(scene.dataSource);
  private final RegisteredPipeline pipeline = scene.daily("sales");

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void countsEveryStateOnce() {
    scene.rows(pipeline, "2026-01-01", "2026-01-05");
    scene.commit("2026-01-01");
    scene.set("2026-01-02", "failed_claims = 1");
    scene.set("2026-01-03", "failed_claims = 10, parked_at = now()");
    scene.set("2026-01-04", "excused_at = now(), excuse = 'x'");
    scene.claim("2026-01-05", "live");
    assertThat(reader.status(pipeline, NOW).counts())
        .containsExactly(
            Map.entry("never_attempted", 0),
            Map.entry("queued", 1),
            Map.entry("running", 0),
            Map.entry("completed", 1),
            Map.entry("failed", 1),
            Map.entry("parked", 1),
            Map.entry("excused", 1),
            Map.entry("too_late", 0));
  }

  @Test
  void completeThroughEndsBeforeTheOldestHole() {
    scene.rows(pipeline, "2026-01-01", "2026-01-05");
    scene.commit("2026-01-01");
    scene.set("2026-01-02", "excused_at = now(), excuse = 'x'");
    scene.commit("2026-01-04");
    LedgerReader.Status status = reader.status(pipeline, NOW);
    assertThat(status.closedThrough()).isEqualTo("2026-01-05");
    assertThat(status.completeThrough()).isEqualTo("2026-01-02");
    assertThat(status.oldestHole()).isEqualTo("2026-01-03");
  }

  // c-B22: what nobody ran is seen without a run
  @Test
  void closedWindowsWithoutARowAreHoles() {
    scene.rows(pipeline, "2026-01-01", "2026-01-03");
    for (int day = 1; day <= 3; day++) {
      scene.commit("2026-01-0" + day);
    }
    LedgerReader.Status status = reader.status(pipeline, NOW);
    assertThat(status.completeThrough()).isEqualTo("2026-01-03");
    assertThat(status.oldestHole()).isEqualTo("2026-01-04");
    assertThat(status.counts()).containsEntry("never_attempted", 2);
    assertThat(reader.status(pipeline, Instant.parse("2026-01-04T00:00:00Z")).oldestHole())
        .isNull();
  }

  @Test
  void nothingIsClosedBeforeTheFirstWindowIs() {
    LedgerReader.Status status = reader.status(pipeline, Instant.parse("2026-01-01T12:00:00Z"));
    assertThat(status.closedThrough()).isNull();
    assertThat(status.completeThrough()).isNull();
    assertThat(status.oldestHole()).isNull();
    assertThat(status.freshness()).isEqualTo("unknown");
  }

  // C14, C21
  @Test
  void lateAndTooLateAreTold() {
    scene.rows(pipeline, "2026-01-01", "2026-03-31");
    scene.commit("2026-01-01");
    scene.commit("2026-03-30");
    scene.set("2026-01-01", "input_version = 'newer'");
    scene.set("2026-03-30", "input_version = 'newer'");
    LedgerReader.Status status = reader.status(pipeline, Instant.parse("2026-04-01T00:00:00Z"));
    assertThat(status.late()).isEqualTo(2);
    assertThat(status.counts()).containsEntry("too_late", 1).containsEntry("completed", 2);
  }

  // A14.5
  @Test
  void whatAnOlderDefinitionMadeIsCounted() {
    scene.rows(pipeline, "2026-01-01", "2026-01-03");
    scene.commit("2026-01-01");
    scene.commit("2026-01-02");
    assertThat(reader.status(pipeline, NOW).staleDefinition()).isZero();
    scene.set("2026-01-02", "definition = 'older'");

    assertThat(reader.status(pipeline, NOW).staleDefinition()).isEqualTo(1);
  }

  // A17, A19: a slice that has ended is no hole
  @Test
  void windowsAfterTheEndOfASliceAreNoHoles() {
    scene.rows(pipeline, "2026-01-01", "2026-01-02");
    scene.commit("2026-01-01");
    scene.commit("2026-01-02");
    scene.run("update tidemark.expected_slice set until = '2026-01-03Z'");

    LedgerReader.Status status = reader.status(pipeline, NOW);

    assertThat(status.oldestHole()).isNull();
    assertThat(status.counts()).containsEntry("never_attempted", 0);
  }

  // c-M1, c-M3: from closure and commits alone, no run is needed to see it
  @Test
  void freshnessNeedsNoRun() {
    PipelineDefinition base = LedgerScene.definition("fresh", List.of(), Duration.ZERO);
    Pace pace = base.pace();
    RegisteredPipeline fresh =
        scene.register(
            new PipelineDefinition(
                base.name(),
                base.extent(),
                base.inputs(),
                base.integration(),
                new Pace(
                    pace.sweep(),
                    pace.order(),
                    pace.catchUp(),
                    pace.limits(),
                    pace.retry(),
                    Duration.ofHours(2)),
                base.task(),
                null));
    scene.rows(fresh, "2026-01-01", "2026-01-01");
    scene.commit("2026-01-01");
    assertThat(reader.status(fresh, Instant.parse("2026-01-03T01:59:59Z")).freshness())
        .isEqualTo("fresh");
    assertThat(reader.status(fresh, Instant.parse("2026-01-03T02:00:00Z")).freshness())
        .isEqualTo("stale");
    assertThat(reader.status(pipeline, NOW).freshness()).isEqualTo("unknown");
  }

  @Test
  void partitionsAreTheRowsOfTheView() {
    scene.rows(pipeline, "2026-01-01", "2026-01-05");
    scene.commit("2026-01-02");
    scene.set("2026-01-03", "failed_claims = 10, parked_at = now(), last_error = 'boom'");
    List<Map<String, @Nullable Object>> rows = partitions(List.of("parked"), 10);
    assertThat(rows).hasSize(1);
    assertThat(rows.get(0))
        .containsEntry("partition", "2026-01-03")
        .containsEntry("state", "failed")
        .containsEntry("reason", "parked")
        .containsEntry("last_error", "boom")
        .containsEntry("window_start", Instant.parse("2026-01-03T00:00:00Z"))
        .hasSize(24);
    assertThat(partitions(List.of(), 2)).hasSize(2);
    assertThat(partitions(List.of("completed", "parked"), 10)).hasSize(2);
  }

  private List<Map<String, @Nullable Object>> partitions(List<String> states, int limit) {
    return reader.partitions(
        pipeline, new LedgerReader.Filter(null, null, states, Slice.EMPTY), limit);
  }

  // c-C15: each row says why it is in or out
  @Test
  void theViewSaysWhy() {
    scene.rows(pipeline, "2026-01-01", "2026-01-09");
    scene.commit("2026-01-02");
    scene.commit("2026-01-03");
    scene.set("2026-01-03", "input_version = 'newer'");
    scene.commit("2026-01-04");
    scene.set("2026-01-04", "output_lost_at = now()");
    scene.set("2026-01-05", "failed_claims = 1, next_attempt_at = now() + interval '1 hour'");
    scene.set("2026-01-06", "no_input = true");
    scene.set("2026-01-07", "skipped_at = now()");
    scene.set("2026-01-08", "requested_gen = 1");
    scene.claim("2026-01-09", "live");
    assertThat(partitions(List.of(), 10).stream().map(row -> row.get("reason")))
        .containsExactly(
            "missing",
            "up_to_date",
            "late",
            "lost_output",
            "waiting_for_retry",
            "no_input",
            "skipped_by_catch_up",
            "requested",
            "running");
  }

  @Test
  void factsAreWhatTheRowsRecord() {
    scene.rows(pipeline, "2026-01-01", "2026-01-03");
    scene.commit("2026-01-02");
    scene.set("2026-01-03", "parked_at = now(), failed_claims = 2, no_input = true");
    List<PartitionFacts> facts =
        reader.facts(
            pipeline, Instant.parse("2026-01-02T00:00:00Z"), Instant.parse("2026-01-04T00:00:00Z"));
    assertThat(facts).hasSize(2);
    PartitionFacts.Commit commit = facts.get(0).commit();
    assertThat(commit).isNotNull();
    assertThat(facts.get(0).marks()).containsExactly(PartitionFacts.Mark.EXPECTED);
    assertThat(facts.get(1).marks())
        .containsExactlyInAnyOrder(
            PartitionFacts.Mark.EXPECTED, PartitionFacts.Mark.PARKED, PartitionFacts.Mark.NO_INPUT);
    assertThat(facts.get(1).trouble().failedClaims()).isEqualTo(2);
    assertThat(reader.facts(pipeline, Slice.EMPTY, "2026-01-09")).isEmpty();
  }

  // c-D19
  @Test
  void excusingIsIdempotentAndCanBeTakenBack() {
    scene.rows(pipeline, "2026-01-01", "2026-01-02");
    List<String> first = List.of("2026-01-01");
    assertThat(interventions.excuse(pipeline, first, Slice.EMPTY, "source is gone")).isEqualTo(1);
    assertThat(interventions.excuse(pipeline, first, Slice.EMPTY, "source is gone")).isZero();
    assertThat(scene.get("2026-01-01", "state")).isEqualTo("excused");
    assertThat(interventions.unexcuse(pipeline, first, Slice.EMPTY, "it is back")).isEqualTo(1);
    assertThat(interventions.unexcuse(pipeline, first, Slice.EMPTY, "it is back")).isZero();
    assertThat(scene.get("2026-01-01", "state")).isEqualTo("never_attempted");
  }

  @Test
  void retryMakesFailedAndParkedPartitionsDueNow() {
    scene.rows(pipeline, "2026-01-01", "2026-01-03");
    scene.set("2026-01-01", "parked_at = now(), failed_claims = 10, lost = 10");
    scene.set("2026-01-02", "failed_claims = 1, next_attempt_at = now() + interval '1 hour'");
    assertThat(interventions.retry(pipeline, List.of("2026-01-02"), Slice.EMPTY)).isEqualTo(1);
    assertThat(interventions.retry(pipeline, List.of(), Slice.EMPTY)).isEqualTo(1);
    assertThat(interventions.retry(pipeline, List.of(), Slice.EMPTY)).isZero();
    assertThat(scene.number("select count(*) from tidemark.partition_ledger where open"))
        .isEqualTo(3);
    assertThat(partitions(List.of("failed"), 10))
        .as("until they run, they are what failed and is tried again")
        .extracting(row -> row.get("partition"), row -> row.get("reason"), row -> row.get("parked"))
        .containsExactly(tuple("2026-01-01", "retry", false), tuple("2026-01-02", "retry", false));
  }

  // Invariant 12
  @Test
  void interventionsRefuseWhatIsNotThere() {
    scene.rows(pipeline, "2026-01-01", "2026-01-02");
    refused("partition", () -> excuse(List.of("2026-01"), "x"));
    refused("partition", () -> excuse(List.of("2026-01-09"), "x"));
    refused("partition", () -> excuse(List.of(), "x"));
    refused("reason", () -> excuse(List.of("2026-01-01"), " "));
    refused(
        "slice",
        () -> interventions.retry(pipeline, List.of(), Slice.of(Map.of("unit", "istanbul"))));
    assertThat(scene.get("2026-01-01", "state")).isEqualTo("never_attempted");
  }

  private void excuse(List<String> partitions, String reason) {
    interventions.excuse(pipeline, partitions, Slice.EMPTY, reason);
  }

  private static void refused(
      String field, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            LedgerRefusal.class, refusal -> assertThat(refusal.field()).isEqualTo(field));
  }
}
