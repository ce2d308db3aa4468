package dev.tidemark.activities.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.workflows.backfill.BackfillRequest.Mode;
import dev.tidemark.workflows.backfill.BackfillView;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How backfills are cancelled, fail, go on and end. */
class BackfillEndsTest {
  private final AskedDays days = new AskedDays();

  @AfterEach
  void close() {
    days.scene.close();
  }

  // c-A10, c-C1: cancel one, the other keeps what it asked for
  @Test
  void cancellingOneKeepsWhatTheOtherAskedFor() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-03");
    BackfillView first = days.request("2026-03-01", "2026-03-02", Mode.ALL);
    BackfillView second = days.request("2026-03-02", "2026-03-03", Mode.ALL);
    BackfillView cancelled = days.backfills.cancel(AskedDays.id(first), false);
    assertThat(cancelled.state()).isEqualTo(BackfillView.State.CANCELLED);
    assertThat(cancelled.cancelled()).isEqualTo(2);
    assertThat(days.scene.get("2026-03-01", "asked")).isEqualTo("false");
    assertThat(days.scene.get("2026-03-02", "asked")).isEqualTo("true");
    assertThat(days.scene.get("2026-03-03", "asked")).isEqualTo("true");
    assertThat(days.find(second).cancelled()).isZero();
  }

  // c-B1
  @Test
  void theSameDaysCanBeAskedForAgainAfterACancel() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-02");
    days.backfills.cancel(AskedDays.id(days.request("2026-03-01", "2026-03-02", Mode.ALL)), false);
    BackfillView again = days.request("2026-03-01", "2026-03-02", Mode.ALL);
    assertThat(again.alreadyRequested()).isZero();
    assertThat(days.scene.get("2026-03-01", "asked")).isEqualTo("true");
    days.run("2026-03-01");
    days.run("2026-03-02");
    assertThat(days.find(again).state()).isEqualTo(BackfillView.State.COMPLETED);
  }

  // c-C1: what runs finishes, and counts
  @Test
  void whatRunsOfACancelledBackfillFinishesAndIsReported() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-02");
    BackfillView backfill = days.request("2026-03-01", "2026-03-02", Mode.ALL);
    days.scene.claim("2026-03-01", "backfill");
    days.scene.begin("2026-03-01");
    assertThat(days.backfills.cancel(AskedDays.id(backfill), false).cancelled()).isEqualTo(1);
    days.scene.commit("2026-03-01");
    BackfillView after = days.find(backfill);
    assertThat(after.completed()).isEqualTo(1);
    assertThat(after.cancelled()).isEqualTo(1);
    assertThat(after.state()).isEqualTo(BackfillView.State.CANCELLED);
  }

  // c-C1, invariant 2
  @Test
  void stoppingTakesTheClaimsThatNobodyElseWants() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-03");
    BackfillView first = days.request("2026-03-01", "2026-03-03", Mode.ALL);
    days.request("2026-03-02", "2026-03-02", Mode.ALL);
    days.scene.claim("2026-03-01", "backfill");
    days.scene.claim("2026-03-02", "backfill");
    days.scene.claim("2026-03-03", "live");
    long token = days.scene.begin("2026-03-01");
    days.scene.begin("2026-03-02");
    days.scene.begin("2026-03-03");

    BackfillView cancelled = days.backfills.cancel(AskedDays.id(first), true);

    assertThat(days.scene.get("2026-03-01", "claim_id")).isNull();
    assertThat(Long.parseLong(Objects.requireNonNull(days.scene.get("2026-03-01", "token"))))
        .isGreaterThan(token);
    assertThat(days.scene.get("2026-03-02", "claim_id")).isNotNull();
    assertThat(days.scene.get("2026-03-03", "claim_id")).isNotNull();
    assertThat(cancelled.cancelled()).isEqualTo(1);
  }

  // c-B20
  @Test
  void plannedIsDonePlusFailedPlusCancelled() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-04");
    BackfillView backfill = days.request("2026-03-01", "2026-03-04", Mode.ALL);
    days.run("2026-03-01");
    days.run("2026-03-02");
    days.scene.set("2026-03-03", "parked_at = now(), failed_claims = 10");
    days.scene.set("2026-03-04", "excused_at = now(), excuse = 'source is gone'");
    BackfillView after = days.find(backfill);
    assertThat(after.state()).isEqualTo(BackfillView.State.FAILED);
    assertThat(after.completed()).isEqualTo(2);
    assertThat(after.failed()).isEqualTo(1);
    assertThat(after.cancelled()).isEqualTo(1);
    assertThat(after.completed() + after.failed() + after.cancelled())
        .isEqualTo(after.partitions());
    assertThat(days.scene.get("2026-03-04", "asked")).isEqualTo("false");
  }

  // c-B10, c-B8: derived, and derived again
  @Test
  void aFailedBackfillGoesOnWhenItsRowIsUnparked() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-01");
    BackfillView backfill = days.request("2026-03-01", "2026-03-01", Mode.ALL);
    days.scene.set("2026-03-01", "parked_at = now(), failed_claims = 10");
    assertThat(days.find(backfill).state()).isEqualTo(BackfillView.State.FAILED);
    days.scene.set("2026-03-01", "parked_at = null, failed_claims = 0");
    assertThat(days.find(backfill).state()).isEqualTo(BackfillView.State.REQUESTED);
    days.run("2026-03-01");
    assertThat(days.find(backfill).state()).isEqualTo(BackfillView.State.COMPLETED);
  }

  // c-B10, c-B8: what was said of it before it went on does not keep it from ending
  @Test
  void aFailedBackfillThatWentOnEnds() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-01");
    BackfillView backfill = days.request("2026-03-01", "2026-03-01", Mode.ALL);
    days.scene.set("2026-03-01", "parked_at = now(), failed_claims = 10");
    assertThat(days.find(backfill).state()).isEqualTo(BackfillView.State.FAILED);
    days.backfills.pause(AskedDays.id(backfill));
    days.scene.set("2026-03-01", "parked_at = null, failed_claims = 0");
    assertThat(days.backfills.resume(AskedDays.id(backfill)).state())
        .isEqualTo(BackfillView.State.REQUESTED);
    days.run("2026-03-01");
    assertThat(days.find(backfill).state()).isEqualTo(BackfillView.State.COMPLETED);
  }

  // c-B20
  @Test
  void aFailedBackfillThatIsCancelledIsAllCancelled() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-01");
    BackfillView backfill = days.request("2026-03-01", "2026-03-01", Mode.ALL);
    days.scene.set("2026-03-01", "parked_at = now(), failed_claims = 10");
    assertThat(days.find(backfill).state()).isEqualTo(BackfillView.State.FAILED);
    BackfillView cancelled = days.backfills.cancel(AskedDays.id(backfill), false);
    assertThat(cancelled.state()).isEqualTo(BackfillView.State.CANCELLED);
    assertThat(cancelled.cancelled()).isEqualTo(1);
  }

  // c-C19: nothing starts while it is paused; what others ask for does
  @Test
  void pauseAndResume() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-02");
    BackfillView first = days.request("2026-03-01", "2026-03-02", Mode.ALL);
    days.request("2026-03-02", "2026-03-02", Mode.ALL);
    assertThat(days.backfills.pause(AskedDays.id(first)).state())
        .isEqualTo(BackfillView.State.PAUSED);
    assertThat(days.backfills.pause(AskedDays.id(first)).state())
        .isEqualTo(BackfillView.State.PAUSED);
    assertThat(days.scene.get("2026-03-01", "asked")).isEqualTo("false");
    assertThat(days.scene.get("2026-03-02", "asked")).isEqualTo("true");
    assertThat(days.backfills.resume(AskedDays.id(first)).state())
        .isEqualTo(BackfillView.State.REQUESTED);
    assertThat(days.scene.get("2026-03-01", "asked")).isEqualTo("true");
  }

  @Test
  void whatHasEndedCannotBeChanged() {
    days.scene.rows(days.pipeline, "2026-03-01", "2026-03-01");
    BackfillView backfill = days.request("2026-03-01", "2026-03-01", Mode.ALL);
    days.run("2026-03-01");
    assertThatThrownBy(() -> days.backfills.cancel(AskedDays.id(backfill), false))
        .hasMessageContaining("completed already");
    assertThatThrownBy(() -> days.backfills.pause("bf-none"))
        .isInstanceOfSatisfying(
            LedgerRefusal.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(LedgerRefusal.Kind.INVALID));
  }
}
