package dev.tidemark.workflows.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** In every zone, windows tile time without gap or overlap, each under a name of its own (A1). */
class TilingTest {
  private static final Instant FROM = Instant.parse("1970-01-03T00:00:00Z");
  private static final Instant TO = Instant.parse("2037-12-29T00:00:00Z");

  // A1, c-E3: total for every instant around every change of offset
  @ParameterizedTest
  @EnumSource(
      value = Grain.class,
      names = {"QUARTER_HOUR", "HOUR", "DAY", "MONTH"})
  void windowsTileTimeAroundEveryChangeOfOffset(Grain grain) {
    Duration around = grain.isDaysOrLonger() ? Duration.ofDays(2) : Duration.ofHours(3);
    for (ZoneId zone : zonesWithRulesOfTheirOwn()) {
      Partitioning partitions = new Partitioning(grain, zone, "1970-01-01", null);
      for (Instant change : changesOf(zone)) {
        assertTiles(partitions, change.minus(around), change.plus(around));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Grain.class)
  void stepsAndLabelsAgreeAtRandomInstants(Grain grain) {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<String> zones = ZoneId.getAvailableZoneIds().stream().sorted().toList();
    for (int i = 0; i < 1000; i++) {
      ZoneId zone = ZoneId.of(zones.get(random.nextInt(zones.size())));
      Partitioning partitions =
          new Partitioning(grain, zone, grain == Grain.WEEK ? "1970-W02" : "1970-01-01", null);
      Instant instant =
          FROM.plusSeconds(random.nextLong(TO.getEpochSecond() - FROM.getEpochSecond()));
      Window window = partitions.containing(instant);
      int steps = random.nextInt(200);
      Window walked = window;
      for (int step = 0; step < steps; step++) {
        walked = partitions.next(walked);
      }
      assertThat(partitions.plus(window, steps)).as("%s seed %d", zone, seed).isEqualTo(walked);
      assertThat(partitions.plus(walked, -steps)).as("%s seed %d", zone, seed).isEqualTo(window);
      assertThat(partitions.parse(window.label())).as("%s seed %d", zone, seed).isEqualTo(window);
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

  private static List<Instant> changesOf(ZoneId zone) {
    return Stream.iterate(
            zone.getRules().nextTransition(FROM),
            change -> change != null && change.getInstant().isBefore(TO),
            change -> zone.getRules().nextTransition(change.getInstant()))
        .map(change -> change.getInstant())
        .toList();
  }

  private static void assertTiles(Partitioning partitions, Instant from, Instant to) {
    List<Window> windows = new ArrayList<>();
    Set<String> labels = new HashSet<>();
    for (Window window = partitions.containing(from);
        window.start().isBefore(to);
        window = partitions.next(window)) {
      if (!windows.isEmpty()) {
        Window before = windows.get(windows.size() - 1);
        check(before.end().equals(window.start()), partitions, before, window);
        check(partitions.previous(window).equals(before), partitions, before, window);
        check(partitions.plus(before, 1).equals(window), partitions, before, window);
        check(partitions.plus(window, -1).equals(before), partitions, before, window);
      }
      check(labels.add(window.label()), partitions, window);
      check(partitions.parse(window.label()).equals(window), partitions, window);
      check(partitions.containing(window.end().minusNanos(1)).equals(window), partitions, window);
      windows.add(window);
    }
  }

  /** AssertJ's own description for each of millions of windows would take most of the time. */
  private static void check(boolean holds, Partitioning partitions, Window... windows) {
    if (!holds) {
      assertThat(windows).as(partitions.toString()).isEmpty();
    }
  }
}
