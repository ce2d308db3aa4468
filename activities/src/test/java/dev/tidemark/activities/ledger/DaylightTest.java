package dev.tidemark.activities.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.activities.ledger.attempt.Begin;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillRequest.Mode;
import dev.tidemark.workflows.backfill.BackfillRequest.Order;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.partition.Grain;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Window;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Days and hours around changes of the clocks on the real ledger: closed, claimed, committed,
 * looked back upon, late, asked for. The database's sessions have another zone than any of them.
 */
class DaylightTest {
  private static LedgerTestDatabase database;
  private static Ledger ledger;

  @BeforeAll
  static void open() {
    database = LedgerTestDatabase.create();
    ledger = new Ledger(database);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  // A-g4, c-E1, c-E4, c-E9, c-D20: days of other than 24 hours, days that begin at one, a day that
  // is not there; in Istanbul none of them any more
  @ParameterizedTest
  @CsvSource({
    "America/New_York, 2026-03-07, 24 23 24",
    "America/New_York, 2026-10-31, 24 25 24",
    "Australia/Lord_Howe, 2026-04-04, 24 24.5 24",
    "Australia/Lord_Howe, 2026-10-03, 24 23.5 24",
    "Pacific/Apia, 2011-12-28, 24 24 24 24",
    "America/Santiago, 2026-04-03, 24 25 24",
    "America/Santiago, 2026-09-05, 24 23 24",
    "Africa/Cairo, 2026-04-23, 24 23 24",
    "Africa/Cairo, 2026-10-28, 24 25 24",
    "Asia/Beirut, 2026-03-28, 24 23 24",
    "Asia/Beirut, 2026-10-23, 24 25 24",
    "Europe/Istanbul, 2016-03-26, 24 23 24",
    "Europe/Istanbul, 2016-10-29, 24 24 24",
    "Europe/Brussels, 2026-03-28, 24 23 24",
    "Europe/Brussels, 2026-10-24, 24 25 24"
  })
  void daysAreAsLongAsTheirZoneSays(String zone, String first, String hours) {
    int days = hours.split(" ", -1).length;
    RegisteredPipeline pipeline = walk(Grain.DAY, zone, first, days);

    assertThat(
            ledger.query(
                """
                select string_agg(trim_scale(extract(epoch from window_end - window_start) / 3600)::text,
                           ' ' order by window_start)
                  from tidemark.partition_ledger
                 where pipeline_id = %d
                """
                    .formatted(pipeline.id())))
        .isEqualTo(hours);
  }

  // A-g4, c-E1, c-E3: hours that are there twice, or not at all
  @ParameterizedTest
  @CsvSource({
    "America/New_York, 2026-03-08T00, 2026-03-08T00 2026-03-08T01 2026-03-08T03 2026-03-08T04",
    "America/New_York, 2026-11-01T00, 2026-11-01T00 2026-11-01T01-0400 2026-11-01T01-0500 2026-11-01T02",
    "America/Santiago, 2026-04-04T22, 2026-04-04T22 2026-04-04T23-0300 2026-04-04T23-0400 2026-04-05T00",
    "America/Santiago, 2026-09-05T23, 2026-09-05T23 2026-09-06T01 2026-09-06T02",
    "Africa/Cairo, 2026-04-23T23, 2026-04-23T23 2026-04-24T01 2026-04-24T02",
    "Africa/Cairo, 2026-10-29T22, 2026-10-29T22 2026-10-29T23+0300 2026-10-29T23+0200 2026-10-30T00",
    "Asia/Beirut, 2026-03-28T23, 2026-03-28T23 2026-03-29T01 2026-03-29T02",
    "Asia/Beirut, 2026-10-24T22, 2026-10-24T22 2026-10-24T23+0300 2026-10-24T23+0200 2026-10-25T00",
    "Pacific/Apia, 2011-12-29T22, 2011-12-29T22 2011-12-29T23 2011-12-31T00 2011-12-31T01",
    "Europe/Istanbul, 2016-03-27T02, 2016-03-27T02 2016-03-27T04 2016-03-27T05",
    "Europe/Istanbul, 2016-10-30T02, 2016-10-30T02 2016-10-30T03 2016-10-30T04"
  })
  void hoursAreThoseThatTheirZoneHas(String zone, String first, String labels) {
    List<String> hours = List.of(labels.split(" ", -1));
    RegisteredPipeline pipeline = walk(Grain.HOUR, zone, first, hours.size());

    assertThat(
            ledger.query(
                "select string_agg(partition, ' ' order by window_start) from tidemark.partition_ledger"
                    + " where pipeline_id = "
                    + pipeline.id()))
        .isEqualTo(labels);
  }

  // A2, C1, C2, C14: the windows close one after another, and each asks for the two before it
  private static RegisteredPipeline walk(Grain grain, String zone, String first, int count) {
    Pipelines definition =
        Pipelines.daily("dst-" + System.nanoTime())
            .partitions(grain, zone, first, null)
            .lookback(1, 2);
    Partitioning partitions = new Partitioning(grain, ZoneId.of(zone), first, null);
    List<Window> windows = new ArrayList<>(List.of(partitions.first()));
    while (windows.size() < count) {
      windows.add(partitions.next(windows.get(windows.size() - 1)));
    }
    RegisteredPipeline pipeline = ledger.register(definition);
    for (int i = 0; i < count; i++) {
      Instant end = windows.get(i).end();
      if (i > 0) {
        assertThat(ledger.run(pipeline, end.minusMillis(1).toString())).isEmpty();
      }
      ledger.bringUpTo(pipeline, end.toString());
      assertThat(ledger.run(pipeline, end.toString()))
          .containsExactlyElementsOf(newestFirst(windows.subList(Math.max(0, i - 2), i + 1)));
    }
    String now = windows.get(count - 1).end().toString();
    isLate(pipeline, windows.get(1), now);
    isAskedFor(pipeline, windows, now);
    return pipeline;
  }

  private static List<String> newestFirst(List<Window> windows) {
    List<String> labels = new ArrayList<>();
    windows.forEach(window -> labels.add(0, window.label()));
    return labels;
  }

  // C12, C14: late data of that window is that window's
  private static void isLate(RegisteredPipeline pipeline, Window window, String now) {
    ledger.observe(pipeline, window.label(), "v2");
    List<Claim> claims = ledger.claim(pipeline, now, 10);
    assertThat(Ledger.labels(claims)).containsExactly(window.label());
    Begin.Begun begun = ledger.begin(claims.get(0));
    assertThat(begun.window()).isEqualTo(window);
    ledger.attempts.observed(begun.token(), "v2", ledger.observations.now());
    ledger.attempts.commit(begun.token(), Ledger.NOTHING, null);
    assertThat(ledger.run(pipeline, now)).isEmpty();
  }

  private static void isAskedFor(RegisteredPipeline pipeline, List<Window> windows, String now) {
    Backfills backfills = new Backfills(database.dataSource());
    Window last = windows.get(windows.size() - 1);
    BackfillView asked =
        backfills.request(
            pipeline, request(windows.get(0).label(), last.label(), Instant.parse(now)));
    assertThat(ledger.run(pipeline, now))
        .containsExactlyElementsOf(windows.stream().map(Window::label).toList());
    assertThat(backfills.find(String.valueOf(asked.backfillId())).orElseThrow().state())
        .isEqualTo(BackfillView.State.COMPLETED);
  }

  private static BackfillRequest request(String from, String to, @Nullable Instant now) {
    return new BackfillRequest(
        null, from, to, null, Mode.ALL, Order.OLDEST, null, null, null, null, now);
  }
}
