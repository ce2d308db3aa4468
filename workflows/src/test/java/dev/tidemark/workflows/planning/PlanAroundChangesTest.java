package dev.tidemark.workflows.planning;

import static dev.tidemark.workflows.planning.FactsOf.committed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plans around every change of the clocks of every zone, from 1970 to 2037. */
class PlanAroundChangesTest {
  private static final Instant FROM = Instant.parse("1970-01-10T00:00:00Z");
  private static final Instant TO = Instant.parse("2037-12-20T00:00:00Z");

  // A2, A3, A-g4, c-D20, c-E3, c-E4: every window that has ended once, none that has not, and the
  // one before them by lookback
  @ParameterizedTest
  @EnumSource(
      value = Grain.class,
      names = {"HOUR", "DAY"})
  void everyWindowIsPlannedOnceAndNoneBeforeItsEnd(Grain grain) {
    Duration around = grain == Grain.DAY ? Duration.ofHours(40) : Duration.ofHours(2);
    int plans = 0;
    for (ZoneId zone : zonesWithRulesOfTheirOwn()) {
      Partitioning all = new Partitioning(grain, zone, "1970-01-01", null);
      for (var change = zone.getRules().nextTransition(FROM);
          change != null && change.getInstant().isBefore(TO);
          change = zone.getRules().nextTransition(change.getInstant())) {
        check(all, change.getInstant().minus(around), change.getInstant().plus(around));
        plans++;
      }
    }
    assertThat(plans).isGreaterThan(10_000);
  }

  private static void check(Partitioning all, Instant from, Instant now) {
    Scenario scenario = new Scenario();
    Window first = all.containing(from);
    scenario.partitions = new Partitioning(all.every(), all.zone(), first.label(), null);
    scenario.closure = new Closure.AfterDelay(Duration.ZERO);
    scenario.lookback = List.of(1);
    scenario.now = now;
    scenario.with(committed(first.label()));

    List<Window> planned = new ArrayList<>();
    scenario.plan().partitions().forEach(line -> planned.add(0, line.window()));
    // Compared by hand: a description for each of tens of thousands would take most of the time.
    boolean holds = planned.get(0).equals(first);
    for (int i = 1; i < planned.size(); i++) {
      holds &= planned.get(i - 1).end().equals(planned.get(i).start());
    }
    Window newest = planned.get(planned.size() - 1);
    holds &= !newest.end().isAfter(now) && all.next(newest).end().isAfter(now);
    if (!holds) {
      assertThat(planned).as("%s at %s", scenario.partitions, now).isEmpty();
    }
  }

  /** Most names are aliases: one of each is enough. */
  private static Collection<ZoneId> zonesWithRulesOfTheirOwn() {
    return ZoneId.getAvailableZoneIds().stream()
        .sorted()
        .map(ZoneId::of)
        .collect(Collectors.toMap(ZoneId::getRules, zone -> zone, (one, other) -> one))
        .values();
  }
}
