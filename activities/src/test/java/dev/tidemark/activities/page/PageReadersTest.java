package dev.tidemark.activities.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.tidemark.activities.backfill.LedgerScene;
import dev.tidemark.activities.ledger.Ledger;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Pipelines;
import dev.tidemark.activities.ledger.database.LedgerRefusal;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the page counts, on a real PostgreSQL whose own time zone is another. */
class PageReadersTest {
  private final LedgerScene scene = new LedgerScene();
  private final RegisteredPipeline pipeline = scene.daily("sales");

  @AfterEach
  void close() {
    scene.close();
  }

  private static Zoom zoom(
      RegisteredPipeline pipeline, @Nullable String within, @Nullable String by) {
    return Zoom.of(pipeline.definition().extent().partitions(), within, by);
  }

  @Test
  void everyPartitionIsCountedOnceByWhatPeopleNeedToKnowFirst() {
    scene.rows(pipeline, "2026-01-01", "2026-01-11");
    for (String day : List.of("01", "02", "03", "04", "05")) {
      scene.commit("2026-01-" + day);
    }
    scene.set("2026-01-02", "input_version = 'newer'");
    scene.set("2026-01-03", "output_lost_at = now(), input_version = 'newer'");
    scene.set("2026-01-04", "failed_claims = 9, parked_at = now()");
    scene.set("2026-01-05", "requested_gen = done_gen + 1");
    scene.set("2026-01-06", "failed_claims = 1");
    scene.set("2026-01-07", "excused_at = now(), excuse = 'x', parked_at = now()");
    scene.set("2026-01-08", "skipped_at = now()");
    scene.claim("2026-01-09", "live");
    scene.begin("2026-01-09");
    scene.claim("2026-01-10", "live");
    HeatMap map = new HeatMap(scene.dataSource);

    List<HeatMap.Cell> months = map.cells(pipeline, zoom(pipeline, null, null), Slice.EMPTY);
    List<HeatMap.Cell> days = map.cells(pipeline, zoom(pipeline, "2026", null), Slice.EMPTY);

    assertThat(months)
        .containsExactly(
            new HeatMap.Cell(
                "2026-01-01",
                "2026-01-01",
                "2026-01-11",
                Map.of(
                    "complete",
                    1,
                    "late",
                    1,
                    "lost",
                    1,
                    "parked",
                    1,
                    "queued",
                    2,
                    "failed",
                    1,
                    "excused",
                    1,
                    "skipped",
                    1,
                    "running",
                    1,
                    "missing",
                    1)));
    assertThat(days).hasSize(11);
    assertThat(days.get(3).counts()).isEqualTo(Map.of("parked", 1));
  }

  // A1: a day of 25 hours is one cell, and its hours are 25
  @Test
  void daysAreThoseOfThePipelinesZone() {
    try (LedgerTestDatabase database = LedgerTestDatabase.create()) {
      RegisteredPipeline hours =
          new Ledger(database)
              .ready(
                  Pipelines.daily("hours")
                      .partitions(
                          Grain.HOUR, "America/Los_Angeles", "2026-10-31T00", "2026-11-03T00"),
                  "2026-12-01T00:00:00Z");
      HeatMap map = new HeatMap(database.dataSource());

      assertThat(map.cells(hours, zoom(hours, "2026", "day"), Slice.EMPTY))
          .extracting(HeatMap.Cell::key, cell -> cell.counts().get("missing"))
          .containsExactly(
              tuple("2026-10-31", 24), tuple("2026-11-01", 25), tuple("2026-11-02", 24));
      assertThat(map.cells(hours, zoom(hours, "2026-11-01", null), Slice.EMPTY))
          .hasSize(25)
          .extracting(HeatMap.Cell::key)
          .contains("2026-11-01T01-0700", "2026-11-01T01-0800")
          .endsWith("2026-11-01T23");
    }
  }

  @Test
  void aPeriodIsAYearAMonthOrADay() {
    Partitioning days = pipeline.definition().extent().partitions();

    assertThat(Zoom.of(days, "2026-02", null).by()).isEqualTo(Zoom.By.WINDOW);
    assertThat(Zoom.of(days, "2026", null).by()).isEqualTo(Zoom.By.DAY);
    for (String wrong : List.of("26", "2026-13", "2026-02-30", "January", "")) {
      assertThatThrownBy(() -> Zoom.of(days, wrong, null))
          .as(wrong)
          .isInstanceOf(LedgerRefusal.class)
          .hasMessageContaining("'" + wrong + "'");
    }
    assertThatThrownBy(() -> Zoom.of(days, null, "week"))
        .hasMessageContaining("window, day or month");
  }

  @Test
  void moreCellsThanAreShownAreRefusedWithTheWayOut() {
    scene.run(
        """
        insert into tidemark.partition_ledger (pipeline_id, slice, partition, window_start, window_end)
        select ?, '', n::text, t, t + interval '1 hour'
          from generate_series(1, 4001) n, lateral (select timestamptz '2026-01-01Z' + n * interval '1 hour' as t) w
        """,
        pipeline.id());

    assertThatThrownBy(
            () ->
                new HeatMap(scene.dataSource)
                    .cells(pipeline, zoom(pipeline, null, "window"), Slice.EMPTY))
        .isInstanceOf(LedgerRefusal.class)
        .hasMessageContaining("shorter period");
  }

  @Test
  void slicesWithMostThatIsNotCompleteComeFirstAndAreFound() {
    scene.rows(pipeline, "unit=ankara", "2026-01-01", "2026-01-02");
    scene.rows(pipeline, "unit=izmir", "2026-01-03", "2026-01-05");
    scene.commit("2026-01-01");
    SliceCounts slices = new SliceCounts(scene.dataSource);

    assertThat(slices.search(pipeline, ""))
        .extracting(SliceCounts.Line::slice, SliceCounts.Line::counts)
        .containsExactly(
            tuple("unit=izmir", Map.of("missing", 3)),
            tuple("unit=ankara", Map.of("complete", 1, "missing", 1)));
    assertThat(slices.search(pipeline, "ANK"))
        .extracting(SliceCounts.Line::slice)
        .containsExactly("unit=ankara");
    // What a person types is text, not a pattern.
    assertThat(slices.search(pipeline, "%")).isEmpty();
  }

  @Test
  void oneErrorIsShownOnceHoweverManyPartitionsHaveIt() {
    scene.rows(pipeline, "2026-01-01", "2026-01-06");
    for (int day = 1; day <= 4; day++) {
      scene.set(
          "2026-01-0" + day,
          "failed_claims = 1, last_error = E'host 10.0.0.%d refused\\nat line 7'".formatted(day));
    }
    scene.set("2026-01-04", "parked_at = now()");
    scene.set("2026-01-05", "failed_claims = 1, last_error = 'no such column'");
    scene.set("2026-01-06", "failed_claims = 1, excused_at = now()");

    assertThat(new Failing(scene.dataSource).groups(pipeline))
        .containsExactly(
            new Failing.Group("host 10.0.0.4 refused", 4, 1, "2026-01-04", ""),
            new Failing.Group("no such column", 1, 0, "2026-01-05", ""));
  }

  @Test
  void partitionsAreListedTheNewestFirstAndByKind() {
    scene.rows(pipeline, "2026-01-01", "2026-01-04");
    scene.commit("2026-01-02");
    Partitioning days = pipeline.definition().extent().partitions();
    PartitionList list = new PartitionList(scene.dataSource);

    assertThat(
            list.find(
                pipeline,
                new PartitionList.Filter(
                    days.parse("2026-01-01").start(),
                    days.parse("2026-01-03").start(),
                    List.of(),
                    Slice.EMPTY),
                2))
        .extracting(PartitionList.Entry::partition, PartitionList.Entry::kind)
        .containsExactly(tuple("2026-01-03", "missing"), tuple("2026-01-02", "complete"));
    assertThat(
            list.find(
                pipeline,
                new PartitionList.Filter(null, null, List.of("complete"), Slice.EMPTY),
                10))
        .extracting(PartitionList.Entry::partition)
        .containsExactly("2026-01-02");
  }

  @Test
  void oneAttemptIsReadByItsTokenOrIsTheNewest() {
    scene.rows(pipeline, "2026-01-01", "2026-01-02");
    scene.run(
        """
        insert into tidemark.attempt (token, row_id, claim_id, attempt, claimed_by, gen, revision,
                                      definition, log)
        select v.token, l.id, 'run/1', 1, 'test', 1, 1, '', 'printed by ' || v.token
          from tidemark.partition_ledger l, (values (901), (902)) as v (token)
         where partition = '2026-01-01'
        """);
    AttemptRecords records = new AttemptRecords(scene.dataSource);
    List<AttemptRecords.Entry> all = records.of(pipeline, Slice.EMPTY, "2026-01-01", 10);

    assertThat(all)
        .containsExactly(
            new AttemptRecords.Entry(902, "run", "ted by 902"),
            new AttemptRecords.Entry(901, "run", "ted by 901"));
    assertThat(records.one(pipeline, Slice.EMPTY, "2026-01-01", null, 10)).hasValue(all.get(0));
    assertThat(records.one(pipeline, Slice.EMPTY, "2026-01-01", 901L, 10)).hasValue(all.get(1));
    assertThat(records.one(pipeline, Slice.EMPTY, "2026-01-02", 901L, 10)).isEmpty();
  }

  @Test
  void anActionIsOnRecordFromItsBeginAndStaysSoIfTheProcessEnds() {
    AuditTrail trail = new AuditTrail(scene.dataSource);
    long first = trail.begin(action("retry", "sales"));
    long second = trail.begin(action("check connections", null));
    trail.end(first, AuditTrail.Outcome.REFUSED, "x".repeat(2_000));
    // What has ended stays as it ended.
    trail.end(first, AuditTrail.Outcome.DONE, null);

    List<AuditTrail.Entry> all = trail.newest(null, null, 10);
    assertThat(all).extracting(AuditTrail.Entry::id).containsExactly(second, first);
    assertThat(all.get(0).outcome()).isNull();
    assertThat(all.get(1).outcome()).isEqualTo("refused");
    assertThat(all.get(1).message()).hasSize(1_000);
    assertThat(all.get(1).what().detail()).contains("2026-01-01");
    assertThat(trail.newest(second, null, 10))
        .extracting(AuditTrail.Entry::id)
        .containsExactly(first);
    assertThat(trail.newest(null, List.of("sales"), 10))
        .extracting(AuditTrail.Entry::id)
        .containsExactly(first);
    assertThat(trail.newest(null, List.of(), 10)).isEmpty();
  }

  private static AuditTrail.Action action(String name, @Nullable String pipeline) {
    return new AuditTrail.Action(
        "olga", "10.0.0.9", name, pipeline, "{\"partitions\": [\"2026-01-01\"]}");
  }
}
