package dev.tidemark.activities.sweep;

import static dev.tidemark.activities.sweep.Landscape.reads;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.pipeline.Mapping;
import dev.tidemark.workflows.pipeline.Readiness;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines that read pipelines (C24, "The ledger's rules", Upstream). */
class UpstreamTest {
  private static final String FIRST = "2026-01-01";
  private static final String SECOND = "2026-01-02";
  private static final String THIRD = "2026-01-03";

  @TempDir Path folder;
  private Landscape land;

  @BeforeEach
  void open() {
    land = new Landscape(folder);
  }

  @AfterEach
  void close() {
    land.close();
  }

  // C24, c-I1, c-I3
  @Test
  void aDayWaitsForTheSameDayUpstreamAndSaysSo() throws Exception {
    land.source("orders");
    land.has(TestPipeline.daily("sales").inputs(reads("orders")));

    assertThat(land.sweep("sales")).isEmpty();
    assertThat(land.view("sales", SECOND, "reason")).isEqualTo("upstream_not_ready");
    assertThat(
            land.ledger.query(
                "select upstream_hold from tidemark.partition_ledger where partition = '2026-01-02'"))
        .isEqualTo("orders 2026-01-02 (missing)");

    land.sweep("orders");
    assertThat(land.sweep("sales")).containsExactly(THIRD, SECOND, FIRST);
    assertThat(land.sweep("sales")).isEmpty();
  }

  // c-I1: different content goes on, once; c-I7: equal content does not
  @Test
  void newContentMakesItLateOnceAndEqualContentStops() throws Exception {
    land.source("orders");
    land.has(TestPipeline.daily("sales").inputs(reads("orders")));
    land.sweep("orders");
    land.sweep("sales");

    land.changes("orders", SECOND, "more");
    land.sweep("orders");
    assertThat(land.sweep("sales")).containsExactly(SECOND);
    assertThat(land.sweep("sales")).isEmpty();

    land.changes("orders", SECOND, "more");
    assertThat(land.sweep("orders")).containsExactly(SECOND);
    assertThat(land.sweep("sales")).isEmpty();
    assertThat(land.view("sales", SECOND, "late")).isEqualTo("f");
  }

  // C24, c-I1: each waits for the new version of its input, whichever pipeline looks first
  @Test
  void aDiamondRunsEachPartitionOnce() {
    land.source("a");
    land.has(TestPipeline.daily("b").inputs(reads("a")));
    land.has(TestPipeline.daily("c").inputs(reads("a")));
    land.has(TestPipeline.daily("d").inputs(reads("b"), reads("c")));
    for (String pipeline : List.of("a", "b", "c", "d")) {
      assertThat(land.sweep(pipeline)).hasSize(3);
    }

    land.changes("a", SECOND, "more");
    land.holds("b", SECOND, "b of more");
    land.holds("c", SECOND, "c of more");
    assertThat(land.sweep("d")).isEmpty();
    land.sweep("a");
    assertThat(land.sweep("d")).isEmpty();
    land.sweep("b");
    // Nobody has looked at c yet: that it is late follows from what a holds.
    assertThat(land.sweep("d")).isEmpty();
    assertThat(land.sweep("c")).containsExactly(SECOND);
    assertThat(land.sweep("d")).containsExactly(SECOND);
    assertThat(land.sweep("d")).isEmpty();
  }

  // C24, c-I6: a frozen pipeline takes no part, and what reads it goes by what it holds
  @Test
  void aFrozenPipelineStopsTheCascade() throws Exception {
    land.source("a");
    land.has(TestPipeline.daily("b").inputs(reads("a")));
    land.has(TestPipeline.daily("c").inputs(reads("b")));
    for (String pipeline : List.of("a", "b", "c")) {
      land.sweep(pipeline);
    }
    land.has(TestPipeline.daily("b").inputs(reads("a")).frozen());

    land.changes("a", SECOND, "more");
    land.sweep("a");
    assertThat(land.sweep("b")).isEmpty();
    assertThat(land.sweep("c")).isEmpty();
    assertThat(land.view("c", SECOND, "reason")).isEqualTo("up_to_date");
  }

  // C24, C21, c-I5: accept bounds a cascade as it bounds late data
  @Test
  void acceptBoundsACascade() {
    land.source("a");
    land.has(TestPipeline.daily("b").inputs(reads("a")).accept(Period.ofDays(1)));
    land.sweep("a");
    land.sweep("b");

    land.changes("a", FIRST, "more");
    land.changes("a", SECOND, "more");
    land.sweep("a");
    assertThat(land.sweep("b")).containsExactly(SECOND);
  }

  // C24
  @Test
  void previousReadsTheWindowBeforeAndTheFirstHasNone() throws Exception {
    land.source("a");
    land.has(TestPipeline.daily("b").inputs(reads("a", new Mapping.Previous(1))));
    land.sweep("a");

    assertThat(land.sweep("b")).containsExactly(THIRD, SECOND);
    assertThat(land.view("b", FIRST, "reason")).isEqualTo("no_input");

    land.changes("a", FIRST, "more");
    land.sweep("a");
    assertThat(land.sweep("b")).containsExactly(SECOND);
  }

  // C24, c-D9: a change reaches every window that reads it
  @Test
  void aWindowReadsTheOnesBeforeItToo() {
    land.source("a");
    land.has(TestPipeline.daily("b").inputs(reads("a", new Mapping.Trailing(2))));
    land.sweep("a");
    assertThat(land.sweep("b")).containsExactly(THIRD, SECOND, FIRST);

    land.changes("a", FIRST, "more");
    land.sweep("a");
    assertThat(land.sweep("b")).containsExactly(SECOND, FIRST);
  }

  // C24: a month depends on its days
  @Test
  void aMonthWaitsForAllOfItsDays() throws Exception {
    land.source("a");
    land.has(
        TestPipeline.daily("b")
            .every(Grain.MONTH, "2026-01")
            .inputs(reads("a", new Mapping.Rollup())));
    land.now = Instant.parse("2026-01-31T22:00:00Z");
    land.sweep("b");
    assertThat(land.view("b", "2026-01", "reason")).isEqualTo("upstream_not_ready");
    assertThat(land.sweep("a")).hasSize(31);
    assertThat(land.sweep("b")).containsExactly("2026-01");
  }

  // C24, c-D15
  @Test
  void atLeastAndWithinLookAtCommitsAndTimeOnly() {
    land.source("a");
    land.has(
        TestPipeline.daily("some")
            .inputs(reads("a", new Mapping.Trailing(3), new Readiness.AtLeast(2))));
    land.has(
        TestPipeline.daily("late")
            .inputs(
                reads("a", new Mapping.Trailing(3), new Readiness.Within(Duration.ofHours(6)))));
    land.now = Instant.parse("2026-01-02T21:00:00Z");
    land.sweep("a");
    land.now = Instant.parse("2026-01-03T21:00:00Z");

    assertThat(land.sweep("some")).containsExactly(THIRD, SECOND, FIRST);
    assertThat(land.sweep("late")).containsExactly(SECOND, FIRST);
    land.now = land.now.plus(Duration.ofHours(6));
    assertThat(land.sweep("late")).containsExactly(THIRD);
  }

  // C24: what is excused is not waited for; none left is no_input
  @Test
  void whatIsExcusedUpstreamDoesNotCount() throws Exception {
    land.source("a");
    land.has(TestPipeline.daily("one").inputs(reads("a")));
    land.has(TestPipeline.daily("two").inputs(reads("a", new Mapping.Trailing(2))));
    land.sweep("a");
    land.ledger.database.execute(
        "update tidemark.partition_ledger set excused_at = now(), excuse = 'closed' where partition = '2026-01-01'");

    assertThat(land.sweep("one")).containsExactly(THIRD, SECOND);
    assertThat(land.view("one", FIRST, "reason")).isEqualTo("no_input");
    assertThat(land.sweep("two")).containsExactly(THIRD, SECOND);
  }

  // C24: a committed one that is parked, or whose pipeline is paused, counts as it is
  @Test
  void aParkedOneCountsAsItIs() {
    land.source("a");
    land.has(TestPipeline.daily("b").inputs(reads("a")));
    land.sweep("a");
    land.changes("a", SECOND, "more");
    land.claim("a");
    assertThat(land.sweep("b")).containsExactly(THIRD, FIRST);

    land.ledger.database.execute(
        "update tidemark.partition_ledger set claim_id = null, lease_until = null, parked_at = now()"
            + " where claim_id is not null");
    assertThat(land.sweep("b")).containsExactly(SECOND);
  }

  // c-A7: a commit upstream during a run makes it late, and starts no second run
  @Test
  void aCommitUpstreamDuringARunIsLateData() throws Exception {
    land.source("a");
    land.has(TestPipeline.daily("b").inputs(reads("a")));
    land.sweep("a");
    List<Claim> held = land.claim("b");
    land.changes("a", SECOND, "more");
    land.sweep("a");

    assertThat(land.sweep("b")).isEmpty();
    held.forEach(land::run);
    assertThat(land.view("b", SECOND, "attempts")).isEqualTo("1");
    assertThat(land.sweep("b")).isEmpty();
  }

  // C24: looked at again before anything is done; nothing is spent, and nothing waits long for it
  @Test
  void anUpstreamThatIsDueAgainAtTheBeginHoldsItBack() throws Exception {
    land.source("a");
    land.has(TestPipeline.daily("b").inputs(reads("a")));
    land.sweep("a");
    List<Claim> held = land.claim("b");
    land.changes("a", SECOND, "more");
    List<Claim> upstream = land.claim("a");
    held.forEach(land::run);

    assertThat(land.view("b", SECOND, "reason")).isEqualTo("upstream_not_ready");
    assertThat(land.view("b", SECOND, "last_error")).contains("waits for a 2026-01-02");
    assertThat(land.view("b", FIRST, "state")).isEqualTo("completed");
    upstream.forEach(land::run);
    assertThat(land.sweep("b")).containsExactly(SECOND);
  }

  // C24: shared dimensions must be equal, the others are all taken
  @Test
  void sharedDimensionsMustBeEqual() {
    land.has(
        TestPipeline.daily("a")
            .slices(
                new SliceSet.Product(
                    new TreeMap<>(Map.of("unit", List.of("x", "y"), "kind", List.of("in", "out"))),
                    null)));
    land.has(
        TestPipeline.daily("b")
            .slices(new SliceSet.Product(new TreeMap<>(Map.of("unit", List.of("x", "y"))), null))
            .inputs(reads("a")));
    land.now = Instant.parse("2026-01-01T21:00:00Z");
    for (Claim claim : land.claim("a")) {
      if (!claim.slice().equals("kind=out/unit=y")) {
        land.run(claim);
      }
    }

    assertThat(land.sweep("b")).containsExactly("2026-01-01 unit=x");
  }
}
