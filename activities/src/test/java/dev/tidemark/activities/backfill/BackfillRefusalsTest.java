package dev.tidemark.activities.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.pipeline.SliceSet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bad input is refused at the door, and nothing is changed (invariant 12). */
class BackfillRefusalsTest {
  private static final Instant NOW = Instant.parse("2026-03-10T12:00:00Z");

  private static LedgerScene scene;
  private static Backfills backfills;
  private static RegisteredPipeline pipeline;
  private static RegisteredPipeline sliced;

  @BeforeAll
  static void open() {
    scene = new LedgerScene();
    backfills = new Backfills(scene.dataSource);
    pipeline = scene.daily("plain");
    scene.rows(pipeline, "2026-03-01", "2026-03-09");
    sliced =
        scene.register(
            LedgerScene.definition(
                "sliced",
                List.of(product("seattle", "rain"), product("istanbul", "snow")),
                Duration.ZERO));
    scene.rows(sliced, "category=rain/unit=seattle", "2026-03-01", "2026-03-03");
    scene.rows(sliced, "category=snow/unit=istanbul", "2026-03-01", "2026-03-03");
  }

  private static SliceSet product(String unit, String category) {
    return new SliceSet.Product(
        new TreeMap<>(Map.of("unit", List.of(unit), "category", List.of(category))), null);
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  @Test
  void aLabelOfAnotherGrain() {
    refused(range("2026-03", "2026-03-05"), "from", "2026-03");
    refused(range("2026-03-01", "2026-03-05T13"), "to", "2026-03-05T13");
    refused(range("", "2026-03-05"), "from", "missing");
    refused(range("2026-02-30", "2026-03-05"), "from", "2026-02-30");
  }

  @Test
  void aRangeThatEndsBeforeItBegins() {
    refused(range("2026-03-05", "2026-03-01"), "to", "'2026-03-01' is before from '2026-03-05'");
  }

  @Test
  void aRangeBeyondThePipelines() {
    refused(range("2025-12-31", "2026-03-01"), "from", "its first partition is 2026-01-01");
    refused(range("2026-03-01", "2027-01-01"), "to", "its last partition is 2026-12-31");
  }

  // A12, B12, invariant 7
  @Test
  void anUnclosedWindow() {
    refused(
        range("2026-03-01", "2026-03-10"),
        "to",
        "the newest closed partition of plain is 2026-03-09");
    assertThat(backfills.preview(pipeline, range("2026-03-01", "2026-03-09")).partitions())
        .isEqualTo(9);
  }

  @Test
  void aParallelismOutOfRange() {
    for (int parallel : new int[] {0, -1, 501}) {
      refused(
          new BackfillRequest(
              null, "2026-03-01", "2026-03-02", null, null, null, parallel, null, null, null, NOW),
          "parallel",
          parallel + " is not from 1 to 500");
    }
    assertThatThrownBy(() -> backfills.setParallel("bf-any", 0))
        .isInstanceOfSatisfying(
            LedgerRefusal.class, refusal -> assertThat(refusal.field()).isEqualTo("parallel"));
  }

  @Test
  void parametersWithoutSaneNames() {
    for (String name : List.of("", "1st", "a b", "a=b", "x".repeat(64))) {
      refused(withParams(Map.of(name, "v")), "params", "is not a name");
    }
    refused(withParams(Map.of("name", "v".repeat(4_001))), "params", "at most 4000 characters");
  }

  @Test
  void aSliceThatIsNotThere() {
    refused(pipeline, slice(Map.of("unit", "seattle")), "slice", "plain has no slices");
    refused(sliced, slice(Map.of("town", "seattle")), "slice", "its dimensions are category, unit");
    refused(sliced, slice(Map.of("unit", "oslo")), "slice", "there is istanbul, seattle");
    refused(
        sliced,
        slice(Map.of("unit", "seattle", "category", "snow")),
        "slice",
        "no slice of sliced has");
    assertThat(backfills.preview(sliced, slice(Map.of("unit", "seattle"))).partitions())
        .isEqualTo(2);
  }

  @Test
  void aSliceThatAQueryNeverReturned() {
    RegisteredPipeline queried =
        scene.register(
            LedgerScene.definition(
                "queried", List.of(new SliceSet.Query("select 1", "shop")), Duration.ZERO));
    scene.rows(queried, "unit=a%2Fb", "2026-03-01", "2026-03-02");
    refused(queried, slice(Map.of("unit", "c")), "slice", "there is a/b");
    refused(queried, slice(Map.of("town", "c")), "slice", "its dimensions are unit");
    // c-H5: odd characters
    assertThat(backfills.preview(queried, slice(Map.of("unit", "a/b"))).partitions()).isEqualTo(2);
  }

  private static BackfillRequest range(String from, String to) {
    return new BackfillRequest(null, from, to, null, null, null, null, null, null, null, NOW);
  }

  private static BackfillRequest withParams(Map<String, String> params) {
    return new BackfillRequest(
        null, "2026-03-01", "2026-03-02", null, null, null, null, null, params, null, NOW);
  }

  private static BackfillRequest slice(@Nullable Map<String, String> slice) {
    return new BackfillRequest(
        null, "2026-03-01", "2026-03-02", slice, null, null, null, null, null, null, NOW);
  }

  private static void refused(BackfillRequest request, String field, String message) {
    refused(pipeline, request, field, message);
  }

  private static void refused(
      RegisteredPipeline of, BackfillRequest request, String field, String message) {
    String before = scene.everything();
    assertThatThrownBy(() -> backfills.request(of, request))
        .isInstanceOfSatisfying(
            LedgerRefusal.class,
            refusal -> {
              assertThat(refusal.kind()).isEqualTo(LedgerRefusal.Kind.INVALID);
              assertThat(refusal.field()).isEqualTo(field);
              assertThat(refusal).hasMessageContaining(message);
            });
    assertThat(scene.everything()).isEqualTo(before);
  }
}
