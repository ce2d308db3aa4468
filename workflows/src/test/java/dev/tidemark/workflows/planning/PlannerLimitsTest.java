package dev.tidemark.workflows.planning;

import static dev.tidemark.workflows.planning.FactsOf.committed;
import static dev.tidemark.workflows.planning.FactsOf.known;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the limits leave to a later sweep or a later moment, and how it says so. */
class PlannerLimitsTest {
  private static final Slice ISTANBUL = Slice.of(Map.of("unit", "istanbul"));

  private final Scenario days = new Scenario();

  private List<ExpectedSlice> units(String... units) {
    SliceSet.Product product =
        new SliceSet.Product(new TreeMap<>(Map.of("unit", List.of(units))), null);
    return ExpectedSlices.ofProducts(days.partitions, List.of(product));
  }

  // A26, A32
  @Test
  void limitsBoundWhatRunsAndSayWhatTheyCutOff() {
    days.limits = new Limits(2, Duration.ofMinutes(10), 20, null, null, 50);

    assertThat(days.planned()).containsExactly("2026-09-05 missing", "2026-09-04 missing");
    assertThat(days.planned("2026-09-03", "2026-09-06"))
        .containsExactly(
            "2026-09-05 missing",
            "2026-09-04 missing",
            "2026-09-03 limit_reached",
            "2026-09-06 not_closed");
    assertThat(days.planned("2026-09-01", "2026-09-03"))
        .as("what comes before the range takes its place in the sweep too")
        .containsExactly(
            "2026-09-03 limit_reached", "2026-09-02 limit_reached", "2026-09-01 limit_reached");
  }

  // contracts: the closed list of reasons; c-M7
  @Test
  void whatWaitsForWhatRunsNowSaysForWhichCap() {
    days.slices = units("istanbul");
    days.account = "unit";
    days.limits = new Limits(10, Duration.ofMinutes(10), 4, null, 3, 50);
    days.with(
        known("2026-09-04").of(ISTANBUL).asked(), committed("2026-09-03").of(ISTANBUL).asked());
    Window asked = days.partitions.parse("2026-09-03");
    Window missing = days.partitions.parse("2026-09-05");

    LiveClaims some = new LiveClaims(1, 2, Map.of("istanbul", 2));
    assertThat(days.reasons(missing, ISTANBUL, some)).containsExactly("missing");
    LiveClaims account = new LiveClaims(1, 2, Map.of("istanbul", 3));
    assertThat(days.reasons(missing, ISTANBUL, account)).startsWith("account_limit", "missing");
    LiveClaims full = new LiveClaims(2, 2, Map.of());
    assertThat(days.reasons(missing, ISTANBUL, full)).startsWith("limit_reached", "missing");
    assertThat(days.reasons(asked, ISTANBUL, full)).startsWith("backfill_share", "requested");
    LiveClaims fullOfLive = new LiveClaims(3, 1, Map.of());
    assertThat(days.reasons(asked, ISTANBUL, fullOfLive)).startsWith("limit_reached", "requested");
  }

  @Test
  void noAccountTakesMoreThanItsShareOfASweep() {
    days.slices = units("istanbul", "ankara");
    days.account = "unit";
    days.limits = new Limits(3, Duration.ofMinutes(10), 20, 1, null, 50);

    assertThat(days.planned())
        .containsExactly("2026-09-05 unit=ankara missing", "2026-09-05 unit=istanbul missing");
    assertThat(days.planned("2026-09-04", "2026-09-04"))
        .contains("2026-09-04 unit=ankara account_limit");
  }

  // C3, c-J9: what is late of it holds back nobody, whether it is left alone or tried again
  @Test
  void ofAnAccountThatIsRefusedNothingIsWaitedFor() {
    days.slices = units("ankara", "istanbul");
    days.account = "unit";
    days.strategy = Integration.Strategy.LATE_FIRST;
    days.with(committed("2026-09-03").of(ISTANBUL).input("b").marked(PartitionFacts.Mark.LIVE));
    Window missing = days.partitions.parse("2026-09-05");
    Slice ankara = Slice.of(Map.of("unit", "ankara"));

    assertThat(days.reasons(missing, ankara)).startsWith("waiting_for_late");
    days.refused = Set.of("istanbul");
    assertThat(days.reasons(missing, ankara)).containsExactly("missing");
    days.leftAlone = Set.of("istanbul");
    assertThat(days.reasons(missing, ankara)).containsExactly("missing");
  }
}
