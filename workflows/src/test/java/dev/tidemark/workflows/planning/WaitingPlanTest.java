package dev.tidemark.workflows.planning;

import static dev.tidemark.workflows.planning.FactsOf.committed;
import static dev.tidemark.workflows.planning.FactsOf.known;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.planning.PartitionFacts.Mark;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What failures, pauses and a limited catch-up keep from running. */
class WaitingPlanTest {
  private static final Slice ANKARA = Slice.of(Map.of("unit", "ankara"));

  private final Scenario days = new Scenario();

  // c-D18
  @Test
  void aPartitionThatKeepsFailingHoldsNoOtherBack() {
    days.committedThrough(3);
    days.with(known("2026-09-04").marked(Mark.PARKED));

    assertThat(days.planned()).containsExactly("2026-09-05 missing");
    assertThat(days.reasons("2026-09-04")).containsExactly("parked", "missing");
  }

  @Test
  void aParkedPartitionIsNotSaidToBeRetried() {
    days.committedThrough(3);
    days.with(known("2026-09-04").failed("2026-09-05T00:00:00Z").marked(Mark.PARKED));

    assertThat(days.reasons("2026-09-04")).containsExactly("parked", "missing");
  }

  @Test
  void aFailureWaitsForItsNextAttemptByTheLedgersClock() {
    days.committedThrough(4);
    days.with(known("2026-09-05").failed("2026-09-06T12:00:01Z"));

    assertThat(days.planned()).isEmpty();
    assertThat(days.reasons("2026-09-05")).containsExactly("waiting_for_retry", "missing");

    days.now = Instant.parse("2026-09-06T12:00:01Z");

    assertThat(days.planned()).containsExactly("2026-09-05 retry");
    assertThat(days.reasons("2026-09-05")).containsExactly("retry", "missing");
  }

  @Test
  void aNowGivenByHandMayPassTheNextAttemptOnItsOwnClock() {
    days.committedThrough(4);
    days.with(known("2026-09-05").failed("2030-01-01T00:15:00Z", "2026-09-06T12:15:00Z"));
    days.clock = Instant.parse("2030-01-01T00:01:00Z");

    days.now = Instant.parse("2026-09-06T12:14:59Z");
    assertThat(days.planned()).isEmpty();

    days.now = Instant.parse("2026-09-06T12:15:00Z");
    assertThat(days.planned()).containsExactly("2026-09-05 retry");

    days.now = Instant.parse("2026-09-06T12:00:00Z");
    days.clock = Instant.parse("2030-01-01T00:15:00Z");
    assertThat(days.planned()).containsExactly("2026-09-05 retry");
  }

  // c-C4
  @Test
  void aPauseStopsLiveWorkAndNotWhatIsAskedFor() {
    days.paused = true;
    days.with(committed("2026-09-01"), known("2026-09-02").asked());

    assertThat(days.planned()).containsExactly("2026-09-02 requested");
    assertThat(days.reasons("2026-09-05")).containsExactly("paused", "missing");
    assertThat(days.reasons("2026-09-01")).containsExactly("up_to_date");
  }

  // c-F1
  @Test
  void catchUpMayBeLimitedToTheNewestOfTheBacklog() {
    days.catchUp = new CatchUp.Newest(2);

    assertThat(days.planned()).containsExactly("2026-09-05 missing", "2026-09-04 missing");
    assertThat(days.reasons("2026-09-03")).containsExactly("skipped_by_catch_up", "missing");
  }

  // c-F1
  @Test
  void catchUpSkipsOnlyWhatIsNewerThanAllThatIsKnown() {
    days.catchUp = new CatchUp.Newest(1);
    days.with(known("2026-09-01").marked(Mark.SKIPPED), committed("2026-09-03"));

    assertThat(days.planned()).containsExactly("2026-09-05 missing", "2026-09-02 missing");
    assertThat(days.reasons("2026-09-04")).startsWith("skipped_by_catch_up");
    assertThat(days.reasons("2026-09-01")).startsWith("skipped_by_catch_up");
  }

  // A20: what a definition adds is not a backlog
  @Test
  void catchUpDoesNotSkipTheHistoryOfANewSlice() {
    days.catchUp = new CatchUp.Newest(1);
    days.slices = days.units("ankara", "istanbul");
    days.now = Instant.parse("2026-09-04T12:00:00Z");
    days.with(committed("2026-09-01").of(ANKARA), committed("2026-09-02").of(ANKARA));

    assertThat(days.planned())
        .containsExactly(
            "2026-09-03 unit=ankara missing",
            "2026-09-03 unit=istanbul missing",
            "2026-09-02 unit=istanbul missing",
            "2026-09-01 unit=istanbul missing");
  }
}
