package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Accounts;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.Retry;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.pipeline.TaskSpec;
import dev.tidemark.workflows.pipeline.Wake;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A pipeline, what is recorded of it, and a moment: daily in UTC unless it says otherwise. */
final class Scenario {
  static final String FINGERPRINT = "v2";

  Partitioning partitions = new Partitioning(Grain.DAY, ZoneId.of("UTC"), "2026-09-01", null);
  Closure closure = new Closure.AfterDelay(Duration.ofHours(1));
  @Nullable Period keep;
  @Nullable String account;
  List<ExpectedSlice> slices = List.of();
  List<Integer> lookback = List.of();
  Period accept = Period.ofDays(60);
  Integration.Strategy strategy = Integration.Strategy.CURRENT_FIRST;
  boolean frozen;
  Integration.OnDefinitionChange onDefinitionChange = Integration.OnDefinitionChange.ASK;
  Pace.Order order = Pace.Order.NEWEST_FIRST;
  CatchUp catchUp = new CatchUp.All();
  Limits limits = Limits.DEFAULT;
  boolean paused;
  Set<String> leftAlone = Set.of();
  Set<String> refused = Set.of();
  @Nullable Instant lookbackFloor;
  @Nullable ObservedVersions observed;
  Instant now = Instant.parse("2026-09-06T12:00:00Z");
  @Nullable Instant clock;
  final List<PartitionFacts> facts = new ArrayList<>();

  Scenario with(FactsOf... known) {
    for (FactsOf one : known) {
      facts.add(one.in(partitions));
    }
    return this;
  }

  /** The first days of September, all of them committed. */
  void committedThrough(int last) {
    for (int day = 1; day <= last; day++) {
      with(FactsOf.committed("2026-09-0" + day));
    }
  }

  /** These units, all of them expected from the first day on. */
  List<ExpectedSlice> units(String... units) {
    SliceSet.Product product =
        new SliceSet.Product(new TreeMap<>(Map.of("unit", List.of(units))), null);
    return ExpectedSlices.ofProducts(partitions, List.of(product));
  }

  PlanInput input(PlanInput.@Nullable Range range) {
    return new PlanInput(
        new PlanInput.Registration(
            definition(),
            FINGERPRINT,
            paused,
            lookbackFloor,
            leftAlone,
            refused,
            new Turns(Accounts.DEFAULT, null)),
        slices.isEmpty() ? ExpectedSlices.none(partitions) : slices,
        facts,
        observed,
        now,
        clock == null ? now : clock,
        range);
  }

  private PipelineDefinition definition() {
    return new PipelineDefinition(
        "daily-weather",
        new Extent(partitions, List.of(), account, closure, keep),
        List.of(),
        new Integration(lookback, accept, strategy, false, frozen, onDefinitionChange),
        new Pace(
            new Wake.Every(Duration.ofMinutes(15)), order, catchUp, limits, Retry.DEFAULT, null),
        new TaskSpec.Command(List.of("true"), Duration.ofMinutes(1)),
        null);
  }

  Plan plan() {
    return Planner.plan(input(null));
  }

  /** Each line as {@code label reason}, or {@code label slice reason}. */
  List<String> planned() {
    return lines(plan());
  }

  List<String> planned(String from, String to) {
    return lines(
        Planner.plan(input(new PlanInput.Range(partitions.parse(from), partitions.parse(to)))));
  }

  List<String> reasons(String label) {
    return reasons(partitions.parse(label), Slice.EMPTY);
  }

  List<String> reasons(Window window, Slice slice) {
    return reasons(window, slice, LiveClaims.NONE);
  }

  List<String> reasons(Window window, Slice slice, LiveClaims live) {
    return Reasons.of(input(null), window, slice, live).stream().map(Reason::code).toList();
  }

  private static List<String> lines(Plan plan) {
    return plan.partitions().stream()
        .map(
            line ->
                line.window().label()
                    + (line.slice().equals(Slice.EMPTY) ? "" : " " + line.slice())
                    + " "
                    + line.reason().code())
        .toList();
  }
}
