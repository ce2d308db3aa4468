package dev.tidemark.workflows.planning;

import static dev.tidemark.workflows.planning.FactsOf.committed;
import static dev.tidemark.workflows.planning.FactsOf.known;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Integration.OnDefinitionChange;
import dev.tidemark.workflows.pipeline.Integration.Strategy;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.planning.PartitionFacts.Mark;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A daily pipeline that started on 2026-09-01, looked at on the 6th: the 5th is closed. */
class PlannerTest {
  private static final Slice ANKARA = Slice.of(Map.of("unit", "ankara"));
  private static final Slice ISTANBUL = Slice.of(Map.of("unit", "istanbul"));

  private final Scenario days = new Scenario();

  // A19, A23, A25
  @Test
  void everythingClosedAndMissingIsDueNewestFirst() {
    assertThat(days.planned())
        .containsExactly(
            "2026-09-05 missing",
            "2026-09-04 missing",
            "2026-09-03 missing",
            "2026-09-02 missing",
            "2026-09-01 missing");
    assertThat(days.plan().closedThrough()).extracting(Window::label).isEqualTo("2026-09-05");
  }

  // B11, B-g3
  @Test
  void theOrderMayBeOldestFirst() {
    days.order = Pace.Order.OLDEST_FIRST;

    assertThat(days.planned()).startsWith("2026-09-01 missing", "2026-09-02 missing");
  }

  // A29, A30, A46, c-D3
  @Test
  void whatIsCommittedIsNotDueAgain() {
    days.committedThrough(5);

    assertThat(days.planned()).isEmpty();
    assertThat(days.reasons("2026-09-05")).containsExactly("up_to_date");
  }

  // A14, c-D7: no cursor, so no hole is out of sight
  @Test
  void aHoleIsFoundWhereverItIs() {
    days.with(committed("2026-09-01"), committed("2026-09-03"), committed("2026-09-05"));

    assertThat(days.planned()).containsExactly("2026-09-04 missing", "2026-09-02 missing");
  }

  // design, invariant 7
  @Test
  void anUnclosedWindowIsNeverDueNotEvenIfAskedFor() {
    days.committedThrough(5);
    days.with(known("2026-09-06").asked());

    assertThat(days.planned()).isEmpty();
    assertThat(days.reasons("2026-09-06")).containsExactly("not_closed");
  }

  @Test
  void nothingIsDueBeforeTheFirstWindowIsClosed() {
    days.now = Instant.parse("2026-09-02T00:59:59Z");

    assertThat(days.planned()).isEmpty();
    assertThat(days.plan().closedThrough()).isNull();
    assertThat(days.reasons("2026-09-01")).containsExactly("not_closed");
  }

  // A24, A28
  @Test
  void allSlicesOfADayComeBeforeTheDayBefore() {
    days.slices = days.units("istanbul", "ankara");
    days.now = Instant.parse("2026-09-03T12:00:00Z");

    assertThat(days.planned())
        .containsExactly(
            "2026-09-02 unit=ankara missing",
            "2026-09-02 unit=istanbul missing",
            "2026-09-01 unit=ankara missing",
            "2026-09-01 unit=istanbul missing");
  }

  // A14.3, A20
  @Test
  void aNewSliceIsBackfilledByItself() {
    days.slices = days.units("istanbul", "ankara");
    days.with(committed("2026-09-01").of(ANKARA), committed("2026-09-02").of(ANKARA));
    days.now = Instant.parse("2026-09-03T12:00:00Z");

    assertThat(days.planned())
        .containsExactly("2026-09-02 unit=istanbul missing", "2026-09-01 unit=istanbul missing");
  }

  // A21, A22
  @Test
  void aSliceIsNotExpectedBeforeItsFirstWindow() {
    days.slices = List.of(new ExpectedSlice(ANKARA, days.partitions.parse("2026-09-04")));

    assertThat(days.planned())
        .containsExactly("2026-09-05 unit=ankara missing", "2026-09-04 unit=ankara missing");
    assertThat(days.reasons(days.partitions.parse("2026-09-03"), ANKARA))
        .containsExactly("before_since");
  }

  @Test
  void whatTheDefinitionDoesNotExpectSaysWhy() {
    days.slices = days.units("ankara");
    days.partitions = new Partitioning(Grain.DAY, ZoneId.of("UTC"), "2026-09-01", "2026-09-04");
    days.with(known("2026-09-02").of(ISTANBUL).asked());

    assertThat(days.reasons(days.partitions.parse("2026-08-31"), ANKARA))
        .containsExactly("before_start");
    assertThat(days.reasons(days.partitions.parse("2026-09-04"), ANKARA))
        .containsExactly("after_end");
    assertThat(days.reasons(days.partitions.parse("2026-09-01"), ISTANBUL))
        .containsExactly("unknown_slice");
    assertThat(days.reasons(days.partitions.parse("2026-09-02"), ISTANBUL))
        .containsExactly("not_expected");
    assertThat(days.planned("2026-09-02", "2026-09-02"))
        .containsExactly("2026-09-02 unit=ankara missing", "2026-09-02 unit=istanbul not_expected");
  }

  // A-g5, B38
  @Test
  void whatRetentionTookAwayIsNotExpected() {
    days.keep = Period.ofDays(2);

    assertThat(days.planned())
        .containsExactly("2026-09-05 missing", "2026-09-04 missing", "2026-09-03 missing");
    assertThat(days.reasons("2026-09-02")).containsExactly("retained_out");
  }

  // A14.4
  @Test
  void aLostOutputIsMadeAgain() {
    days.committedThrough(4);
    days.with(committed("2026-09-05").marked(Mark.OUTPUT_LOST));

    assertThat(days.planned()).containsExactly("2026-09-05 lost_output");
  }

  // C12, C14, C15
  @Test
  void onlyWhatReallyHasLateDataIsLate() {
    days.committedThrough(4);
    days.with(committed("2026-09-05").input("b"));

    assertThat(days.planned()).containsExactly("2026-09-05 late");
  }

  // C14: what has no versions cannot be late
  @Test
  void aCommitOfUnknownVersionIsNotLate() {
    Scenario plain = new Scenario();
    plain.now = Instant.parse("2026-09-02T12:00:00Z");
    plain.facts.add(
        new PartitionFacts(
            Slice.EMPTY,
            plain.partitions.first(),
            new PartitionFacts.Generations(0, 0),
            new PartitionFacts.Versions("b", null),
            new PartitionFacts.Commit(1, null, null),
            PartitionFacts.Trouble.NONE,
            Set.of(Mark.EXPECTED)));

    assertThat(plain.planned()).isEmpty();
  }

  // C21
  @ParameterizedTest
  @CsvSource({"2, too_late", "3, late"})
  void lateDataIsAcceptedSoManyDaysBeforeTheNewestClosed(int accept, String reason) {
    days.committedThrough(1);
    days.with(
        committed("2026-09-02").input("b"),
        committed("2026-09-03"),
        committed("2026-09-04"),
        committed("2026-09-05"));
    days.accept = Period.ofDays(accept);

    assertThat(days.reasons("2026-09-02")).containsExactly(reason);
  }

  // A14.5, A-g6
  @ParameterizedTest
  @EnumSource(OnDefinitionChange.class)
  void aChangedDefinitionDoesWhatThePolicySays(OnDefinitionChange policy) {
    days.onDefinitionChange = policy;
    days.now = Instant.parse("2026-09-02T12:00:00Z");
    days.with(committed("2026-09-01").madeWith("v1"));

    assertThat(days.reasons("2026-09-01"))
        .containsExactly(
            switch (policy) {
              case ASK -> "definition_ask";
              case RERUN -> "stale_definition";
              case KEEP -> "up_to_date";
            });
  }

  @Test
  void whatIsFrozenIsNeitherLateNorRedone() {
    days.frozen = true;
    days.lookback = List.of(1);
    days.with(
        committed("2026-09-01").input("b"),
        committed("2026-09-02"),
        committed("2026-09-03").asked(),
        committed("2026-09-04").input("b").marked(Mark.OUTPUT_LOST));

    assertThat(days.planned()).containsExactly("2026-09-05 missing", "2026-09-04 lost_output");
    assertThat(days.reasons("2026-09-01")).containsExactly("frozen");
    assertThat(days.reasons("2026-09-02")).containsExactly("frozen");
    assertThat(days.reasons("2026-09-03")).containsExactly("frozen", "requested");
  }

  @Test
  void whatAPersonAskedForGoesFirst() {
    days.with(committed("2026-09-01").asked(), known("2026-09-03").asked());

    assertThat(days.planned())
        .containsExactly(
            "2026-09-03 requested",
            "2026-09-01 requested",
            "2026-09-05 missing",
            "2026-09-04 missing",
            "2026-09-02 missing");
  }

  // C3, C4, C5
  @ParameterizedTest
  @EnumSource(Strategy.class)
  void theStrategySaysWhetherLateOrCurrentGoesFirst(Strategy strategy) {
    days.strategy = strategy;
    days.with(
        committed("2026-09-01").input("b"),
        committed("2026-09-02"),
        committed("2026-09-04").input("b"));

    assertThat(days.planned())
        .containsExactlyElementsOf(
            switch (strategy) {
              case CURRENT_FIRST ->
                  List.of(
                      "2026-09-05 missing",
                      "2026-09-03 missing",
                      "2026-09-04 late",
                      "2026-09-01 late");
              case LATE_FIRST ->
                  List.of(
                      "2026-09-04 late",
                      "2026-09-01 late",
                      "2026-09-05 missing",
                      "2026-09-03 missing");
              case PARALLEL ->
                  List.of(
                      "2026-09-05 missing",
                      "2026-09-04 late",
                      "2026-09-03 missing",
                      "2026-09-01 late");
            });
  }

  // C3
  @Test
  void underLateFirstTheCurrentOnesWaitForALateOneThatIsUnderWay() {
    days.strategy = Strategy.LATE_FIRST;
    days.with(committed("2026-09-01").input("b").marked(Mark.LIVE), known("2026-09-03").asked());

    assertThat(days.planned()).containsExactly("2026-09-03 requested");
    assertThat(days.reasons("2026-09-05")).containsExactly("waiting_for_late", "missing");
  }

  // C3; design, gates: late work is waited for only by what closed after it was seen
  @Test
  void underLateFirstWhatClosedBeforeTheLateOneWasSeenDoesNotWaitForIt() {
    days.strategy = Strategy.LATE_FIRST;
    days.with(committed("2026-09-01").input("b").seen("2026-09-05T12:00:00Z").marked(Mark.LIVE));

    assertThat(days.reasons("2026-09-04")).containsExactly("missing");
    assertThat(days.reasons("2026-09-05")).containsExactly("waiting_for_late", "missing");
  }

  // design, gates: unless parked
  @Test
  void aParkedLateOneHoldsNothingBack() {
    days.strategy = Strategy.LATE_FIRST;
    days.with(
        committed("2026-09-01").input("b").failed("2026-09-09T00:00:00Z").marked(Mark.PARKED));

    assertThat(days.reasons("2026-09-05")).containsExactly("missing");
    assertThat(days.reasons("2026-09-01")).startsWith("parked");
  }

  // W11
  @Test
  void aCommitWhoseInputIsGoneSaysSo() {
    days.with(committed("2026-09-05").marked(Mark.NO_INPUT));

    assertThat(days.reasons("2026-09-05")).containsExactly("up_to_date", "no_input");
  }

  // c-C15
  @Test
  void aRangeListsWhatIsSkippedAndWhy() {
    days.with(
        committed("2026-09-01"),
        known("2026-09-02").marked(Mark.EXCUSED),
        known("2026-09-03").marked(Mark.LIVE),
        known("2026-09-04").marked(Mark.NO_INPUT));

    assertThat(days.planned("2026-09-01", "2026-09-05"))
        .containsExactly(
            "2026-09-05 missing",
            "2026-09-04 no_input",
            "2026-09-03 running",
            "2026-09-02 excused",
            "2026-09-01 up_to_date");
  }

  // C14: a version that nobody knows says nothing
  @Test
  void aCommitWhoseInputVersionIsUnknownIsNotLate() {
    days.now = Instant.parse("2026-09-02T12:00:00Z");
    days.with(committed("2026-09-01").input(null));

    assertThat(days.reasons("2026-09-01")).containsExactly("up_to_date");
  }

  @Test
  void whatWasObservedJustNowCountsMoreThanWhatIsRecorded() {
    days.committedThrough(3);
    days.with(known("2026-09-04").input("a").marked(Mark.PARKED));
    days.observed =
        new ObservedVersions() {
          @Override
          public String version(Window window, Slice slice) {
            return window.label().equals("2026-09-01") ? "a" : "b";
          }

          @Override
          public boolean ready(Window window, Slice slice) {
            return !window.label().equals("2026-09-05");
          }
        };

    assertThat(days.planned())
        .containsExactly("2026-09-04 missing", "2026-09-03 late", "2026-09-02 late");
    assertThat(days.reasons("2026-09-05")).containsExactly("no_input", "missing");
  }

  @Test
  void severalReasonsAreAllGiven() {
    days.lookback = List.of(1);
    days.with(committed("2026-09-01").input("b").asked().madeWith("v1"));

    assertThat(days.reasons("2026-09-01"))
        .containsExactly("requested", "late", "lookback", "definition_ask");
  }

  // issue 1, 5; c-G1: no cost per window that a decade of hours would show
  @Test
  void tenYearsOfHoursArePlannedFromNothing() {
    days.partitions =
        new Partitioning(Grain.HOUR, ZoneId.of("America/New_York"), "2016-01-01", "2026-01-01");
    days.limits = new Limits(100_000, Duration.ofMinutes(10), 20, null, null, 50);

    assertThat(days.plan().partitions()).hasSize(87_672);
  }
}
