package dev.tidemark.workflows.planning;

import static dev.tidemark.workflows.planning.FactsOf.committed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.Integration.OnDefinitionChange;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.Pace;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The expected set in a plan: what of it, and in which order. As in {@link PlannerTest}. */
class ExpectedPlanTest {
  private static final Slice ANKARA = Slice.of(Map.of("unit", "ankara"));

  private final Scenario days = new Scenario();

  private ExpectedSlice since(String unit, String label) {
    return new ExpectedSlice(Slice.of(Map.of("unit", unit)), days.partitions.parse(label));
  }

  // A20, A21, A23, A24, A25, A28: all of a day before the one before it, in one order, back to the
  // first of each
  @Test
  void allOfADayGoesBeforeTheOneBeforeIt() {
    days.slices = List.of(since("izmir", "2026-09-04"), since("bursa", "2026-09-03"));

    assertThat(days.planned())
        .containsExactly(
            "2026-09-05 unit=bursa missing",
            "2026-09-05 unit=izmir missing",
            "2026-09-04 unit=bursa missing",
            "2026-09-04 unit=izmir missing",
            "2026-09-03 unit=bursa missing");
    days.order = Pace.Order.OLDEST_FIRST;
    assertThat(days.planned())
        .startsWith("2026-09-03 unit=bursa missing", "2026-09-04 unit=bursa missing");
  }

  // A28: whatever order the definition, a query or the ledger has
  @Test
  void theOrderWithinADayDoesNotDependOnTheOrderOfTheSlices() {
    List<ExpectedSlice> slices =
        IntStream.range(0, 20).mapToObj(unit -> since("u" + unit, "2026-09-01")).toList();
    days.slices = slices;
    List<String> planned = days.planned();
    List<ExpectedSlice> shuffled = new java.util.ArrayList<>(slices);
    Collections.shuffle(shuffled, new java.util.Random(7));
    days.slices = shuffled;

    assertThat(days.planned()).isEqualTo(planned);
  }

  // A24, A27, A29, A32: where a limit cuts a day, the next plan goes on with the rest of that day
  @Test
  void aDayThatALimitCutIsCompletedFirst() {
    days.slices = List.of(since("bursa", "2026-09-04"), since("izmir", "2026-09-04"));
    days.limits = new Limits(1, Duration.ofMinutes(10), 20, null, null, 50);
    assertThat(days.planned()).containsExactly("2026-09-05 unit=bursa missing");
    days.with(committed("2026-09-05").of(Slice.of(Map.of("unit", "bursa"))));

    assertThat(days.planned()).containsExactly("2026-09-05 unit=izmir missing");
  }

  // A17: units differ by date; the end is exclusive
  @Test
  void aSliceIsNotExpectedFromItsEndOn() {
    days.slices =
        List.of(
            new ExpectedSlice(
                ANKARA, days.partitions.first(), days.partitions.parse("2026-09-03")));

    assertThat(days.planned())
        .containsExactly("2026-09-02 unit=ankara missing", "2026-09-01 unit=ankara missing");
    assertThat(days.reasons(days.partitions.parse("2026-09-03"), ANKARA))
        .containsExactly("after_end");
    assertThat(days.reasons(days.partitions.parse("2026-12-24"), ANKARA))
        .as("never, rather than not yet")
        .containsExactly("after_end");
  }

  // A14.5: without a range what is held is not listed, but counted
  @Test
  void whatOnlyThePolicyHoldsIsCounted() {
    days.with(committed("2026-09-01").madeWith("v1"), committed("2026-09-02").madeWith("v1"));

    assertThat(days.plan().heldByDefinition()).isEqualTo(2);
    assertThat(days.planned())
        .containsExactly("2026-09-05 missing", "2026-09-04 missing", "2026-09-03 missing");
    days.onDefinitionChange = OnDefinitionChange.KEEP;
    assertThat(days.plan().heldByDefinition()).isZero();
  }
}
