package dev.tidemark.activities.simulation;

import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Integration.OnDefinitionChange;
import dev.tidemark.workflows.pipeline.Integration.Strategy;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.Mapping;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.Readiness;
import dev.tidemark.workflows.pipeline.Retry;
import dev.tidemark.workflows.pipeline.SliceSet;
import dev.tidemark.workflows.pipeline.TaskSpec;
import dev.tidemark.workflows.pipeline.Wake;
import java.time.Duration;
import java.time.LocalDate;
import java.time.Period;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Random definitions, and random changes of them. */
final class Recipes {
  /** A zone whose days are not all of one length, and a year in which they are not. */
  private record Place(String zone, String start) {}

  private static final List<Place> PLACES =
      List.of(
          new Place("America/New_York", "2026-01-01"),
          new Place("Australia/Lord_Howe", "2026-01-01"),
          new Place("Pacific/Apia", "2011-06-01"),
          new Place("America/Santiago", "2026-01-01"),
          new Place("Africa/Cairo", "2026-01-01"),
          new Place("Asia/Beirut", "2026-01-01"),
          new Place("Europe/Istanbul", "2016-01-01"),
          new Place("UTC", "2026-01-01"));

  private static final List<String> UNITS = List.of("a", "b/%", "ü");

  private final Random random;
  final ZoneId zone;
  final LocalDate start;

  Recipes(Random random) {
    this.random = random;
    Place place = PLACES.get(random.nextInt(PLACES.size()));
    this.zone = ZoneId.of(place.zone());
    this.start = LocalDate.parse(place.start());
  }

  /** All slices that it has, or may have after a change. */
  static List<Slice> slices(PipelineDefinition definition) {
    return definition.extent().slices().isEmpty()
        ? List.of(Slice.EMPTY)
        : UNITS.stream().map(unit -> Slice.of(Map.of("unit", unit))).toList();
  }

  /**
   * Any definition.
   *
   * @param upstream what it may read, instead of the world; null for the world
   */
  PipelineDefinition any(String name, @Nullable PipelineDefinition upstream) {
    Partitioning partitions = upstream == null ? partitions() : upstream.extent().partitions();
    boolean sliced = partitions.every() != Grain.DAY && random.nextBoolean();
    Extent extent =
        new Extent(
            partitions,
            sliced ? units(partitions) : List.of(),
            sliced && random.nextBoolean() ? "unit" : null,
            new Closure.AfterDelay(Duration.ofHours(random.nextInt(30))),
            upstream == null ? keep() : null);
    Integration integration = integration(upstream == null);
    return new PipelineDefinition(
        name,
        extent,
        List.of(upstream == null ? world() : reads(upstream)),
        integration,
        pace(integration.stateful()),
        task(),
        null);
  }

  private Partitioning partitions() {
    int kind = random.nextInt(4);
    if (kind == 0) {
      LocalDate first = start.plusDays(random.nextInt(280));
      LocalDate end = first.plusDays(30 + random.nextInt(60));
      return new Partitioning(Grain.DAY, zone, first.toString(), end.toString());
    }
    return new Partitioning(
        kind == 1 ? Grain.MONTH : Grain.WEEK, zone, aligned(kind == 1).toString(), null);
  }

  private LocalDate aligned(boolean month) {
    LocalDate first = start.plusDays(random.nextInt(60));
    return month ? first.withDayOfMonth(1) : first.minusDays(first.getDayOfWeek().getValue() - 1);
  }

  private static InputSpec world() {
    return new InputSpec.Custom(Doors.DETECTOR, false);
  }

  private InputSpec reads(PipelineDefinition upstream) {
    Mapping mapping =
        switch (random.nextInt(3)) {
          case 0 -> new Mapping.Previous(1);
          case 1 -> new Mapping.Trailing(2);
          default -> new Mapping.Same();
        };
    return new InputSpec.Upstream(upstream.name(), mapping, new Readiness.All());
  }

  private List<SliceSet> units(Partitioning partitions) {
    List<SliceSet> sets = new ArrayList<>();
    for (String unit : UNITS) {
      if (random.nextInt(4) > 0) {
        sets.add(
            new SliceSet.Product(
                new TreeMap<>(Map.of("unit", List.of(unit))),
                random.nextInt(3) == 0 ? label(partitions, random.nextInt(12)) : null,
                random.nextInt(5) == 0 ? label(partitions, 12 + random.nextInt(30)) : null));
      }
    }
    return sets.isEmpty() ? units(partitions) : sets;
  }

  private static String label(Partitioning partitions, int windows) {
    return partitions.plus(partitions.first(), windows).label();
  }

  private @Nullable Period keep() {
    return random.nextInt(6) == 0 ? Period.ofDays(60 + random.nextInt(200)) : null;
  }

  private Integration integration(boolean mayBeStateful) {
    boolean stateful = mayBeStateful && random.nextInt(4) == 0;
    return new Integration(
        lookback(),
        Period.ofDays(20 + random.nextInt(200)),
        stateful ? Strategy.LATE_FIRST : any(Strategy.values()),
        stateful,
        random.nextInt(12) == 0,
        any(OnDefinitionChange.values()));
  }

  private List<Integer> lookback() {
    return switch (random.nextInt(5)) {
      case 0 -> List.of(1, 2);
      case 1 -> List.of(1, 3, 7);
      default -> List.of();
    };
  }

  private Pace pace(boolean oldestFirst) {
    return new Pace(
        new Wake.Every(Duration.ofMinutes(15)),
        oldestFirst ? Pace.Order.OLDEST_FIRST : any(Pace.Order.values()),
        random.nextInt(4) == 0 ? new CatchUp.Newest(1 + random.nextInt(3)) : new CatchUp.All(),
        limits(),
        new Retry(2, Duration.ZERO, Duration.ZERO, Duration.ofMinutes(15), 3),
        null);
  }

  private Limits limits() {
    return new Limits(
        1000,
        Duration.ofMinutes(10),
        1 + random.nextInt(12),
        random.nextInt(4) == 0 ? 3 + random.nextInt(5) : null,
        random.nextInt(3) == 0 ? 1 + random.nextInt(4) : null,
        random.nextInt(101));
  }

  private TaskSpec task() {
    return new TaskSpec.Command(List.of("task " + random.nextInt(1000)), Duration.ofHours(1));
  }

  /** The same pipeline, defined otherwise in one respect. */
  PipelineDefinition changed(PipelineDefinition now) {
    boolean isSource = now.inputs().get(0) instanceof InputSpec.Custom;
    Extent extent = now.extent();
    return switch (random.nextInt(4)) {
      case 0 -> with(now, extent, integration(isSource), now.task());
      case 1 -> with(now, extent, now.integration(), task());
      case 2 ->
          with(
              now,
              new Extent(
                  extent.partitions(),
                  extent.slices().isEmpty() ? extent.slices() : units(extent.partitions()),
                  extent.account(),
                  extent.closure(),
                  isSource ? keep() : null),
              now.integration(),
              now.task());
      default -> with(now, extent, now.integration(), now.task());
    };
  }

  private PipelineDefinition with(
      PipelineDefinition now, Extent extent, Integration integration, TaskSpec task) {
    return new PipelineDefinition(
        now.name(),
        extent,
        now.inputs(),
        integration,
        pace(integration.stateful()),
        task,
        now.output());
  }

  @SafeVarargs
  private <T> T any(T... values) {
    return values[random.nextInt(values.length)];
  }
}
