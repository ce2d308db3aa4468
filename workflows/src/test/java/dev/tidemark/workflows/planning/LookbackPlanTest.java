package dev.tidemark.workflows.planning;

import static dev.tidemark.workflows.planning.FactsOf.committed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.workflows.closure.Closure;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What lookback makes due, and only that. */
class LookbackPlanTest {
  private final Scenario days = new Scenario();

  // C1, C2, C6, C7: run for 2024-12-31 with lookback 14
  @Test
  void aNewlyClosedWindowAsksForThoseBeforeIt() {
    days.partitions = new Partitioning(Grain.DAY, ZoneId.of("UTC"), "2024-12-01", null);
    days.lookback = IntStream.rangeClosed(1, 14).boxed().toList();
    days.now = Instant.parse("2025-01-01T12:00:00Z");
    for (int day = 1; day <= 30; day++) {
      days.with(committed("2024-12-%02d".formatted(day)).when("2024-12-30"));
    }

    List<String> planned = days.planned();

    assertThat(planned).hasSize(15).startsWith("2024-12-31 missing", "2024-12-30 lookback");
    assertThat(planned).endsWith("2024-12-17 lookback");
  }

  // C9, C-g1: the union, each once
  @Test
  void severalNewWindowsAskForTheUnionOfTheirLookbacksOnce() {
    days.lookback = List.of(1, 2);
    days.with(
        committed("2026-09-01"),
        committed("2026-09-02").when("2026-09-02"),
        committed("2026-09-03").when("2026-09-05"),
        committed("2026-09-04").when("2026-09-05"),
        committed("2026-09-05"));

    assertThat(days.planned()).containsExactly("2026-09-02 lookback", "2026-09-01 lookback");
  }

  // c-D8
  @Test
  void aSparseLookbackAsksOnlyAtItsDistances() {
    days.lookback = List.of(1, 4);
    days.now = Instant.parse("2026-09-06T12:00:00Z");
    for (int day = 1; day <= 5; day++) {
      days.with(committed("2026-09-0" + day).when(day < 5 ? "2026-09-04" : "2026-09-05"));
    }

    assertThat(days.planned()).containsExactly("2026-09-04 lookback", "2026-09-01 lookback");
  }

  @Test
  void raisingTheLookbackDoesNotRedoHistory() {
    days.lookback = List.of(1, 2, 3);
    days.committedThrough(5);
    days.lookbackFloor = Instant.parse("2026-09-05T00:00:00Z");

    assertThat(days.planned()).isEmpty();

    days.now = Instant.parse("2026-09-07T12:00:00Z");

    assertThat(days.planned())
        .containsExactly(
            "2026-09-06 missing",
            "2026-09-05 lookback",
            "2026-09-04 lookback",
            "2026-09-03 lookback");
  }

  // c-D2: the unit is the window
  @Test
  void lookbackCountsWindowsNotDays() {
    days.partitions =
        new Partitioning(Grain.HOUR, ZoneId.of("America/New_York"), "2026-11-01", null);
    days.closure = new Closure.AfterDelay(Duration.ZERO);
    days.lookback = List.of(2);
    days.now = Instant.parse("2026-11-01T07:00:00Z");
    days.with(
        committed("2026-11-01T00"),
        committed("2026-11-01T01-0400"),
        committed("2026-11-01T01-0500"));

    assertThat(days.planned()).containsExactly("2026-11-01T00 lookback");
  }
}
