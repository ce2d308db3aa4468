package dev.tidemark.workflows.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.Integration.OnDefinitionChange;
import dev.tidemark.workflows.pipeline.Integration.Strategy;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.Pace.Order;
import dev.tidemark.workflows.planning.PartitionFacts.Commit;
import dev.tidemark.workflows.planning.PartitionFacts.Generations;
import dev.tidemark.workflows.planning.PartitionFacts.Mark;
import dev.tidemark.workflows.planning.PartitionFacts.Trouble;
import dev.tidemark.workflows.planning.PartitionFacts.Versions;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What holds of every plan, tried on random pipelines in random zones with random histories. */
class PlannerPropertiesTest {
  private static final int CASES = 400;
  private static final List<String> ZONES = ZoneId.getAvailableZoneIds().stream().sorted().toList();

  private final long seed = new Random().nextLong();
  private final Random random = new Random(seed);

  // design, modules: sorted, bounded, and never an unclosed window (invariant 7)
  @Test
  void aPlanIsSortedBoundedAndOfClosedWindowsOnly() {
    for (int i = 0; i < CASES; i++) {
      Scenario scenario = anyScenario();
      Plan plan = scenario.plan();
      String what = describe(scenario, i);

      assertThat(plan.partitions()).as(what).hasSizeLessThanOrEqualTo(scenario.limits.partitions());
      assertThat(new HashSet<>(plan.partitions())).as(what).hasSameSizeAs(plan.partitions());
      for (PlannedPartition line : plan.partitions()) {
        assertThat(line.runs()).as(what).isTrue();
        assertThat(scenario.partitions.contains(line.window())).as(what).isTrue();
        assertThat(
                scenario.closure.isClosed(line.window(), scenario.partitions.zone(), scenario.now))
            .as(what)
            .isTrue();
      }
      assertThat(windowsOf(plan, Reason.REQUESTED)).as(what).isSortedAccordingTo(orderOf(scenario));
      assertThat(windowsOf(plan, Reason.MISSING)).as(what).isSortedAccordingTo(orderOf(scenario));
      assertThat(windowsOf(plan, Reason.LATE)).as(what).isSortedAccordingTo(orderOf(scenario));
    }
  }

  // A27, A32: cycle by cycle, until there is nothing left; then nothing comes back
  @Test
  void thePlanOfAnAppliedPlanIsEmptyInTheEnd() {
    for (int i = 0; i < CASES; i++) {
      Scenario scenario = anyScenario();
      Set<PartitionKey> done = new HashSet<>();
      Plan plan = scenario.plan();
      while (!plan.partitions().isEmpty()) {
        for (PlannedPartition line : plan.partitions()) {
          assertThat(done.add(new PartitionKey(line.window(), line.slice())))
              .as("%s is planned twice: %s", line, describe(scenario, i))
              .isTrue();
        }
        apply(plan, scenario);
        plan = scenario.plan();
      }
    }
  }

  // A32: limits never change the result
  @Test
  void limitsOnlyCutThePlanShort() {
    for (int i = 0; i < CASES; i++) {
      Scenario scenario = anyScenario();
      List<PlannedPartition> some = scenario.plan().partitions();
      scenario.limits = Limits.DEFAULT;
      List<PlannedPartition> all = scenario.plan().partitions();

      assertThat(all.subList(0, some.size())).as(describe(scenario, i)).isEqualTo(some);
    }
  }

  @Test
  void theOrderOfTheFactsPlaysNoPart() {
    for (int i = 0; i < CASES; i++) {
      Scenario scenario = anyScenario();
      Plan plan = scenario.plan();
      Collections.shuffle(scenario.facts, random);

      assertThat(scenario.plan()).as(describe(scenario, i)).isEqualTo(plan);
    }
  }

  // c-C15: what a plan says of a partition is what explain says of it
  @Test
  void thePlanOfARangeGivesEachPartitionItsFirstReason() {
    for (int i = 0; i < 50; i++) {
      Scenario scenario = anyScenario();
      scenario.limits = Limits.DEFAULT;
      PlanInput input = scenario.input(new PlanInput.Range(null, null));
      for (PlannedPartition line : Planner.plan(input).partitions()) {
        assertThat(Reasons.of(input, line.window(), line.slice()))
            .as(describe(scenario, i))
            .startsWith(line.reason());
      }
    }
  }

  private record PartitionKey(Window window, Slice slice) {}

  /** Every partition of the plan succeeds, as a claim at the plan's now would have it. */
  private static void apply(Plan plan, Scenario scenario) {
    Instant closedThrough = windowOf(plan).start();
    for (PlannedPartition line : plan.partitions()) {
      PartitionFacts before = factsOf(line, scenario);
      Generations generations = before == null ? new Generations(0, 0) : before.generations();
      String version = before == null ? "a" : before.versions().input();
      scenario.facts.remove(before);
      scenario.facts.add(
          new PartitionFacts(
              line.slice(),
              line.window(),
              new Generations(generations.requested(), generations.requested()),
              new Versions(version, version),
              new Commit(1, closedThrough, Scenario.FINGERPRINT),
              Trouble.NONE,
              Set.of(Mark.EXPECTED)));
    }
  }

  private static Window windowOf(Plan plan) {
    Window window = plan.closedThrough();
    assertThat(window).isNotNull();
    return window == null ? plan.partitions().get(0).window() : window;
  }

  private static @Nullable PartitionFacts factsOf(PlannedPartition line, Scenario scenario) {
    return scenario.facts.stream()
        .filter(facts -> facts.window().equals(line.window()) && facts.slice().equals(line.slice()))
        .findFirst()
        .orElse(null);
  }

  private static Comparator<Window> orderOf(Scenario scenario) {
    return scenario.order == Order.NEWEST_FIRST
        ? Comparator.reverseOrder()
        : Comparator.naturalOrder();
  }

  private static List<Window> windowsOf(Plan plan, Reason reason) {
    return plan.partitions().stream()
        .filter(line -> line.reason() == reason)
        .map(PlannedPartition::window)
        .toList();
  }

  private Scenario anyScenario() {
    Scenario scenario = new Scenario();
    Grain grain = any(List.of(Grain.QUARTER_HOUR, Grain.HOUR, Grain.DAY, Grain.WEEK, Grain.MONTH));
    ZoneId zone = ZoneId.of(any(ZONES));
    Partitioning unbounded =
        new Partitioning(grain, zone, grain == Grain.WEEK ? "1970-W02" : "1970-02-01", null);
    Window first =
        unbounded.containing(Instant.ofEpochSecond(random.nextLong(10_000_000, 2_000_000_000)));
    scenario.partitions =
        new Partitioning(
            grain,
            zone,
            first.label(),
            random.nextInt(3) == 0 ? unbounded.plus(first, 1 + random.nextInt(30)).label() : null);
    scenario.closure = new Closure.AfterDelay(Duration.ofMinutes(random.nextInt(3000)));
    Window newest = unbounded.plus(first, random.nextInt(30));
    scenario.now = newest.end().plusSeconds(random.nextInt(200_000));
    scenario.slices = anySlices(scenario);
    scenario.lookback = any(List.of(List.of(), List.of(1, 2, 3), List.of(2, 7)));
    scenario.accept = any(List.of(Period.ofDays(2), Period.ofMonths(2)));
    scenario.strategy = any(List.of(Strategy.values()));
    scenario.order = any(List.of(Order.values()));
    scenario.onDefinitionChange = any(List.of(OnDefinitionChange.values()));
    scenario.catchUp = any(List.of(new CatchUp.All(), new CatchUp.Newest(3)));
    scenario.paused = random.nextInt(8) == 0;
    scenario.limits = new Limits(1 + random.nextInt(40), Duration.ofMinutes(1), 20, null, null, 50);
    for (ExpectedSlice slice : scenario.slices) {
      anyHistory(scenario, slice);
    }
    return scenario;
  }

  private List<ExpectedSlice> anySlices(Scenario scenario) {
    if (random.nextBoolean()) {
      return ExpectedSlices.none(scenario.partitions);
    }
    List<ExpectedSlice> slices = new ArrayList<>();
    for (String unit : List.of("ankara", "istanbul", "izmir")) {
      Window since = scenario.partitions.plus(scenario.partitions.first(), random.nextInt(5));
      slices.add(
          new ExpectedSlice(
              Slice.of(Map.of("unit", unit)),
              since,
              random.nextInt(3) == 0
                  ? scenario.partitions.plus(since, 1 + random.nextInt(9))
                  : null));
    }
    return slices;
  }

  private void anyHistory(Scenario scenario, ExpectedSlice slice) {
    List<Window> windows =
        scenario.partitions.windows(slice.since().start(), scenario.now.plusSeconds(1));
    for (Window window : windows) {
      if (random.nextBoolean()) {
        scenario.facts.add(anyFacts(scenario, slice.slice(), window));
      }
    }
  }

  private PartitionFacts anyFacts(Scenario scenario, Slice slice, Window window) {
    boolean committed = random.nextBoolean();
    Set<Mark> marks = EnumSet.of(Mark.EXPECTED);
    if (random.nextInt(4) == 0) {
      marks.add(any(List.of(Mark.values())));
    }
    Instant next = scenario.now.plusSeconds(random.nextInt(200) - 100);
    Window closedThrough = scenario.partitions.plus(window, random.nextInt(8));
    return new PartitionFacts(
        slice,
        window,
        new Generations(random.nextInt(2), random.nextInt(2)),
        new Versions(any(List.of("a", "b")), committed ? any(List.of("a", "b")) : null),
        committed ? new Commit(1, closedThrough.start(), any(List.of("v1", "v2"))) : null,
        random.nextInt(4) == 0 ? new Trouble(1, next, next) : Trouble.NONE,
        marks);
  }

  private <T> T any(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private String describe(Scenario scenario, int number) {
    return "case "
        + number
        + " of seed "
        + seed
        + ": "
        + scenario.partitions
        + " at "
        + scenario.now;
  }
}
