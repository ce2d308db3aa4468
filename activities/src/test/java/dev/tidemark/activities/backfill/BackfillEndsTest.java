package dev.tidemark.activities.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillRequest.Mode;
import dev.tidemark.workflows.backfill.BackfillView;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How backfills are cancelled, fail, go on and end. */
class BackfillEndsTest {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");

  private final LedgerScene scene = new LedgerScene();
  private final Backfills backfills = new Backfills(scene.dataSource);
  private final RegisteredPipeline pipeline = scene.daily("sales");

  @AfterEach
  void close() {
    scene.close();
  }

  // c-A10, c-C1: cancel one, the other keeps what it asked for
  @Test
  void cancellingOneKeepsWhatTheOtherAskedFor() {
    scene.rows(pipeline, "2026-03-01", "2026-03-03");
    BackfillView first = request("2026-03-01", "2026-03-02", Mode.ALL);
    BackfillView second = request("2026-03-02", "2026-03-03", Mode.ALL);
    BackfillView cancelled = backfills.cancel(id(first), false);
    assertThat(cancelled.state()).isEqualTo(BackfillView.State.CANCELLED);
    assertThat(cancelled.cancelled()).isEqualTo(2);
    assertThat(scene.get("2026-03-01", "asked")).isEqualTo("false");
    assertThat(scene.get("2026-03-02", "asked")).isEqualTo("true");
    assertThat(scene.get("2026-03-03", "asked")).isEqualTo("true");
    assertThat(find(second).cancelled()).isZero();
  }

  // c-B1
  @Test
  void theSameDaysCanBeAskedForAgainAfterACancel() {
    scene.rows(pipeline, "2026-03-01", "2026-03-02");
    backfills.cancel(id(request("2026-03-01", "2026-03-02", Mode.ALL)), false);
    BackfillView again = request("2026-03-01", "2026-03-02", Mode.ALL);
    assertThat(again.alreadyRequested()).isZero();
    assertThat(scene.get("2026-03-01", "asked")).isEqualTo("true");
    run("2026-03-01");
    run("2026-03-02");
    assertThat(find(again).state()).isEqualTo(BackfillView.State.COMPLETED);
  }

  // c-C1: what runs finishes, and counts
  @Test
  void whatRunsOfACancelledBackfillFinishesAndIsReported() {
    scene.rows(pipeline, "2026-03-01", "2026-03-02");
    BackfillView backfill = request("2026-03-01", "2026-03-02", Mode.ALL);
    scene.claim("2026-03-01", "backfill");
    scene.begin("2026-03-01");
    assertThat(backfills.cancel(id(backfill), false).cancelled()).isEqualTo(1);
    scene.commit("2026-03-01");
    BackfillView after = find(backfill);
    assertThat(after.completed()).isEqualTo(1);
    assertThat(after.cancelled()).isEqualTo(1);
    assertThat(after.state()).isEqualTo(BackfillView.State.CANCELLED);
  }

  // c-C1, invariant 2
  @Test
  void stoppingTakesTheClaimsThatNobodyElseWants() {
    scene.rows(pipeline, "2026-03-01", "2026-03-03");
    BackfillView first = request("2026-03-01", "2026-03-03", Mode.ALL);
    request("2026-03-02", "2026-03-02", Mode.ALL);
    scene.claim("2026-03-01", "backfill");
    scene.claim("2026-03-02", "backfill");
    scene.claim("2026-03-03", "live");
    long token = scene.begin("2026-03-01");
    scene.begin("2026-03-02");
    scene.begin("2026-03-03");

    BackfillView cancelled = backfills.cancel(id(first), true);

    assertThat(scene.get("2026-03-01", "claim_id")).isNull();
    assertThat(Long.parseLong(Objects.requireNonNull(scene.get("2026-03-01", "token"))))
        .isGreaterThan(token);
    assertThat(scene.get("2026-03-02", "claim_id")).isNotNull();
    assertThat(scene.get("2026-03-03", "claim_id")).isNotNull();
    assertThat(cancelled.cancelled()).isEqualTo(1);
  }

  // c-B20
  @Test
  void plannedIsDonePlusFailedPlusCancelled() {
    scene.rows(pipeline, "2026-03-01", "2026-03-04");
    BackfillView backfill = request("2026-03-01", "2026-03-04", Mode.ALL);
    run("2026-03-01");
    run("2026-03-02");
    scene.set("2026-03-03", "parked_at = now(), failed_claims = 10");
    scene.set("2026-03-04", "excused_at = now(), excuse = 'source is gone'");
    BackfillView after = find(backfill);
    assertThat(after.state()).isEqualTo(BackfillView.State.FAILED);
    assertThat(after.completed()).isEqualTo(2);
    assertThat(after.failed()).isEqualTo(1);
    assertThat(after.cancelled()).isEqualTo(1);
    assertThat(after.completed() + after.failed() + after.cancelled())
        .isEqualTo(after.partitions());
    assertThat(scene.get("2026-03-04", "asked")).isEqualTo("false");
  }

  // c-B10, c-B8: derived, and derived again
  @Test
  void aFailedBackfillGoesOnWhenItsRowIsUnparked() {
    scene.rows(pipeline, "2026-03-01", "2026-03-01");
    BackfillView backfill = request("2026-03-01", "2026-03-01", Mode.ALL);
    scene.set("2026-03-01", "parked_at = now(), failed_claims = 10");
    assertThat(find(backfill).state()).isEqualTo(BackfillView.State.FAILED);
    scene.set("2026-03-01", "parked_at = null, failed_claims = 0");
    assertThat(find(backfill).state()).isEqualTo(BackfillView.State.REQUESTED);
    run("2026-03-01");
    assertThat(find(backfill).state()).isEqualTo(BackfillView.State.COMPLETED);
  }

  // c-B10, c-B8: what was said of it before it went on does not keep it from ending
  @Test
  void aFailedBackfillThatWentOnEnds() {
    scene.rows(pipeline, "2026-03-01", "2026-03-01");
    BackfillView backfill = request("2026-03-01", "2026-03-01", Mode.ALL);
    scene.set("2026-03-01", "parked_at = now(), failed_claims = 10");
    assertThat(find(backfill).state()).isEqualTo(BackfillView.State.FAILED);
    backfills.pause(id(backfill));
    scene.set("2026-03-01", "parked_at = null, failed_claims = 0");
    assertThat(backfills.resume(id(backfill)).state()).isEqualTo(BackfillView.State.REQUESTED);
    run("2026-03-01");
    assertThat(find(backfill).state()).isEqualTo(BackfillView.State.COMPLETED);
  }

  // c-B20
  @Test
  void aFailedBackfillThatIsCancelledIsAllCancelled() {
    scene.rows(pipeline, "2026-03-01", "2026-03-01");
    BackfillView backfill = request("2026-03-01", "2026-03-01", Mode.ALL);
    scene.set("2026-03-01", "parked_at = now(), failed_claims = 10");
    assertThat(find(backfill).state()).isEqualTo(BackfillView.State.FAILED);
    BackfillView cancelled = backfills.cancel(id(backfill), false);
    assertThat(cancelled.state()).isEqualTo(BackfillView.State.CANCELLED);
    assertThat(cancelled.cancelled()).isEqualTo(1);
  }

  // c-C19: nothing starts while it is paused; what others ask for does
  @Test
  void pauseAndResume() {
    scene.rows(pipeline, "2026-03-01", "2026-03-02");
    BackfillView first = request("2026-03-01", "2026-03-02", Mode.ALL);
    request("2026-03-02", "2026-03-02", Mode.ALL);
    assertThat(backfills.pause(id(first)).state()).isEqualTo(BackfillView.State.PAUSED);
    assertThat(backfills.pause(id(first)).state()).isEqualTo(BackfillView.State.PAUSED);
    assertThat(scene.get("2026-03-01", "asked")).isEqualTo("false");
    assertThat(scene.get("2026-03-02", "asked")).isEqualTo("true");
    assertThat(backfills.resume(id(first)).state()).isEqualTo(BackfillView.State.REQUESTED);
    assertThat(scene.get("2026-03-01", "asked")).isEqualTo("true");
  }

  @Test
  void whatHasEndedCannotBeChanged() {
    scene.rows(pipeline, "2026-03-01", "2026-03-01");
    BackfillView backfill = request("2026-03-01", "2026-03-01", Mode.ALL);
    run("2026-03-01");
    assertThatThrownBy(() -> backfills.cancel(id(backfill), false))
        .hasMessageContaining("completed already");
    assertThatThrownBy(() -> backfills.pause("bf-none"))
        .isInstanceOfSatisfying(
            LedgerRefusal.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(LedgerRefusal.Kind.INVALID));
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
