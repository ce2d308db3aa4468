package dev.tidemark.activities.alert;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.backfill.LedgerScene;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.planning.Explanation;
import dev.tidemark.activities.planning.Plans;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is wrong is told once, and once more when it is over; no run is needed for either. */
class AlertsTest {
  private static final Routing OPS = new Routing(List.of("ops"), List.of());

  private final LedgerScene scene = new LedgerScene();
  private final Alerts alerts = new Alerts(scene.dataSource);
  private final Outbox outbox = new Outbox(scene.dataSource);
  private final LedgerReader reader = new LedgerReader(scene.dataSource);
  private final Plans plans =
      new Plans(
          reader,
          new SliceSets(Connections.NONE),
          new InputVersions(
              Connections.NONE,
              Path.of("."),
              Map.of(),
              new Observations(scene.dataSource),
              new Upstreams(scene.dataSource)),
          new Outputs(scene.dataSource));
  private final RegisteredPipeline sales = scene.register(within("sales", Duration.ofHours(2)));

  @AfterEach
  void close() {
    scene.close();
  }

  static PipelineDefinition within(String name, Duration freshness) {
    PipelineDefinition base = LedgerScene.definition(name, List.of(), Duration.ZERO);
    Pace pace = base.pace();
    return new PipelineDefinition(
        name,
        base.extent(),
        base.inputs(),
        base.integration(),
        new Pace(
            pace.sweep(), pace.order(), pace.catchUp(), pace.limits(), pace.retry(), freshness),
        base.task(),
        null);
  }

  // c-M1, c-M3, c-B22: the deadline is that of the window's closure, and nothing has to run
  @Test
  void alertsAtTheDeadlineAlthoughNothingRuns() {
    scene.rows(sales, "2026-01-01", "2026-01-01");
    scene.commit("2026-01-01");

    look("2026-01-03T01:59:59Z");
    assertThat(told()).isEmpty();

    look("2026-01-03T02:00:00Z");
    assertThat(told()).containsExactly("sales: 2026-01-02 overdue: no sweep has planned it");
  }

  // A new pipeline has not missed the history that it is about to make
  @Test
  void theHistoryOfANewPipelineHasUntilTheRuleAllowsIt() {
    scene.rows(sales, "2026-01-01", "2026-01-02");
    assertThat(alerts.look(sales, List.of(), OPS, null)).isZero();
    assertThat(reader.status(sales, null).freshness()).isEqualTo("fresh");

    scene.run("update tidemark.revision set registered_at = now() - interval '2 hours'");

    assertThat(alerts.look(sales, List.of(), OPS, null)).isPositive();
    assertThat(reader.status(sales, null).freshness()).isEqualTo("stale");
  }

  // c-M6: one alert per partition, however often anybody looks
  @Test
  void tellsOfEachPartitionOnceAndOfItsRecoveryOnce() {
    scene.rows(sales, "2026-01-01", "2026-01-02");
    scene.commit("2026-01-01");
    look("2026-01-03T02:00:00Z");
    look("2026-01-03T03:00:00Z");
    assertThat(told()).containsExactly("sales: 2026-01-02 overdue");
    assertThat(freshness("2026-01-03T03:00:00Z")).isEqualTo("stale");

    scene.commit("2026-01-02");
    look("2026-01-03T04:00:00Z");
    look("2026-01-03T05:00:00Z");

    assertThat(told()).containsExactly("sales: 2026-01-02 overdue no more: committed");
    assertThat(scene.number("select count(*) from tidemark.alert")).isEqualTo(1);
  }

  // What was seen while there was nobody to tell is told to the first who comes, unless it is over
  @Test
  void whatNobodyWasToldOfIsToldOnceThereIsAChannel() {
    scene.rows(sales, "2026-01-01", "2026-01-02");
    look(sales, Routing.NONE, "2026-01-03T02:00:00Z");
    scene.commit("2026-01-01");
    look(sales, Routing.NONE, "2026-01-03T03:00:00Z");

    look("2026-01-03T04:00:00Z");
    assertThat(told()).containsExactly("sales: 2026-01-02 overdue");
    look("2026-01-03T05:00:00Z");
    assertThat(told()).isEmpty();
    scene.commit("2026-01-02");
    look("2026-01-03T06:00:00Z");
    assertThat(told()).containsExactly("sales: 2026-01-02 overdue no more: committed");
  }

  // What was told, and ended while there was nobody to tell
  @Test
  void anEndThatNobodyWasToldOfIsToldOnceThereIsAChannel() {
    scene.rows(sales, "2026-01-01", "2026-01-02");
    scene.commit("2026-01-01");
    look("2026-01-03T02:00:00Z");
    assertThat(told()).containsExactly("sales: 2026-01-02 overdue");
    scene.commit("2026-01-02");
    look(sales, Routing.NONE, "2026-01-03T03:00:00Z");
    assertThat(told()).isEmpty();

    look("2026-01-03T04:00:00Z");
    look("2026-01-03T05:00:00Z");
    assertThat(told()).containsExactly("sales: 2026-01-02 overdue no more: committed");
  }

  // c-M5: the same of one partition
  @Test
  void goesThroughTheStatesOfFreshnessPartitionByPartition() {
    scene.rows(sales, "2026-01-01", "2026-01-02");
    scene.commit("2026-01-01");
    assertThat(partition("2026-01-01", "2026-01-01T12:00:00Z"))
        .isEqualTo("unknown by 2026-01-02T02:00:00Z");
    assertThat(partition("2026-01-01", "2026-01-03T02:00:00Z"))
        .isEqualTo("fresh by 2026-01-02T02:00:00Z");
    assertThat(partition("2026-01-02", "2026-01-03T01:59:59Z"))
        .isEqualTo("fresh by 2026-01-03T02:00:00Z");
    assertThat(partition("2026-01-02", "2026-01-03T02:00:00Z"))
        .isEqualTo("stale by 2026-01-03T02:00:00Z");
    look("2026-01-03T02:00:00Z");
    scene.commit("2026-01-02");
    look("2026-01-03T02:30:00Z");
    assertThat(partition("2026-01-02", "2026-01-03T02:30:00Z"))
        .isEqualTo("recovered by 2026-01-03T02:00:00Z");
    assertThat(partition("2025-12-31", "2026-01-03T02:30:00Z")).isEqualTo("unknown by null");
  }

  // c-M5: unknown, fresh, stale, recovered, and fresh again with the next window
  @Test
  void goesThroughTheStatesOfFreshness() {
    scene.rows(sales, "2026-01-01", "2026-01-02");
    scene.commit("2026-01-01");
    assertThat(freshness("2026-01-01T12:00:00Z")).isEqualTo("unknown");
    assertThat(freshness("2026-01-03T01:00:00Z")).isEqualTo("fresh");
    look("2026-01-03T02:00:00Z");
    assertThat(freshness("2026-01-03T02:00:00Z")).isEqualTo("stale");
    scene.commit("2026-01-02");
    look("2026-01-03T02:30:00Z");
    scene.run("update tidemark.alert set recovered_at = '2026-01-03T02:30:00Z'");

    assertThat(freshness("2026-01-03T02:30:00Z")).isEqualTo("recovered");
    assertThat(freshness("2026-01-04T01:00:00Z")).isEqualTo("fresh");
  }

  // c-M5: only the partition's own commit ends its breach
  @Test
  void neitherABackfillOfAnOldDayNorAFailedPublishMakesItFresh() {
    scene.rows(sales, "2026-01-01", "2026-01-03");
    scene.commit("2026-01-01");
    look("2026-01-04T02:00:00Z");
    assertThat(told()).containsExactly("sales: 2026-01-02 and 1 more overdue");

    scene.commit("2026-01-01");
    scene.commit("2026-01-02");
    scene.claim("2026-01-03", "live");
    scene.begin("2026-01-03");
    scene.set("2026-01-03", "claim_id = null, lease_until = null, claim_attempt = null, lost = 1");
    look("2026-01-04T03:00:00Z");

    assertThat(told()).containsExactly("sales: 2026-01-02 overdue no more: committed");
    assertThat(freshness("2026-01-04T03:00:00Z")).isEqualTo("stale");
  }

  // A18, A14.4: what was committed and is lost is overdue again, as an alert of its own
  @Test
  void anOutputThatIsLostIsOverdueAgain() {
    scene.rows(sales, "2026-01-01", "2026-01-01");
    scene.commit("2026-01-01");
    scene.set("2026-01-01", "output_lost_at = now()");
    look("2026-01-02T02:00:00Z");
    assertThat(told()).containsExactly("sales: 2026-01-01 overdue: its output was lost");
  }

  @Test
  void whatIsExcusedOrNotExpectedAnyMoreIsOver() {
    scene.rows(sales, "2026-01-01", "2026-01-02");
    look("2026-01-03T02:00:00Z");
    told();
    scene.set("2026-01-01", "excused_at = now(), excuse = 'a holiday'");
    scene.set("2026-01-02", "expected = false");

    look("2026-01-03T02:00:00Z");

    assertThat(told()).containsExactly("sales: 2026-01-01 and 1 more overdue no more: excused");
    assertThat(
            scene.text(
                "select string_agg(recovered_because, '; ' order by partition) from"
                    + " tidemark.alert"))
        .isEqualTo("excused; not expected any more");
  }

  // c-B23: a failure is told to those who asked for it, until it is committed and not until a retry
  @Test
  void failuresGoToOnFailureAndWhatIsParkedToBoth() {
    Routing routing = new Routing(List.of("ops"), List.of("chat"));
    RegisteredPipeline orders = scene.daily("orders");
    scene.rows(orders, "2026-01-01", "2026-01-01");
    scene.set("2026-01-01", "failed_claims = 1, last_error = 'no such table'");
    look(orders, routing, "2026-01-02T00:00:00Z");
    assertThat(told("ops")).isEmpty();
    assertThat(told("chat")).containsExactly("orders: 2026-01-01 failed: no such table");

    scene.set("2026-01-01", "failed_claims = 10, parked_at = now()");
    look(orders, routing, "2026-01-02T01:00:00Z");
    assertThat(told("ops")).containsExactly("orders: 2026-01-01 parked: no such table");
    assertThat(told("chat")).containsExactly("orders: 2026-01-01 parked: no such table");

    scene.set("2026-01-01", "failed_claims = 0, parked_at = null");
    scene.claim("2026-01-01", "live");
    look(orders, routing, "2026-01-02T02:00:00Z");
    assertThat(told("chat")).isEmpty();

    scene.commit("2026-01-01");
    look(orders, routing, "2026-01-02T03:00:00Z");
    assertThat(told("ops")).containsExactly("orders: 2026-01-01 parked no more: committed");
    assertThat(told("chat"))
        .containsExactlyInAnyOrder(
            "orders: 2026-01-01 failed no more: committed",
            "orders: 2026-01-01 parked no more: committed");
  }

  // c-B23: what was committed before it failed is no recovery
  @Test
  void aRedoThatFailedHasNotRecoveredByNewInput() {
    Routing routing = new Routing(List.of(), List.of("chat"));
    RegisteredPipeline orders = scene.daily("orders");
    scene.rows(orders, "2026-01-01", "2026-01-01");
    scene.commit("2026-01-01");
    scene.set(
        "2026-01-01", "input_version = 'v2', failed_claims = 1, last_error = 'no such table'");
    look(orders, routing, "2026-01-02T00:00:00Z");
    assertThat(told("chat")).containsExactly("orders: 2026-01-01 failed: no such table");

    scene.set("2026-01-01", "input_version = 'v3', failed_claims = 0");
    look(orders, routing, "2026-01-02T01:00:00Z");
    assertThat(told("chat")).isEmpty();

    scene.commit("2026-01-01");
    look(orders, routing, "2026-01-02T02:00:00Z");
    assertThat(told("chat")).containsExactly("orders: 2026-01-01 failed no more: committed");
  }

  // c-J9: an account whose destination refuses it is told of once, and when it accepts again
  @Test
  void anAccountThatIsLeftAloneIsToldOf() {
    PipelineDefinition base = LedgerScene.definition("exports", List.of(), Duration.ZERO);
    Extent extent = base.extent();
    RegisteredPipeline exports =
        scene.register(
            new PipelineDefinition(
                "exports",
                new Extent(extent.partitions(), List.of(), "unit", extent.closure(), null),
                base.inputs(),
                base.integration(),
                base.pace(),
                base.task(),
                null));
    scene.rows(exports, "unit=izmir", "2026-01-01", "2026-01-01");
    scene.set("2026-01-01", "account = 'izmir'");
    leaveAlone(exports);
    look(exports, OPS, "2026-01-02T00:00:00Z");
    look(exports, OPS, "2026-01-02T00:00:00Z");
    assertThat(told()).containsExactly("exports: account izmir left alone: access denied");

    scene.run("update tidemark.breaker set closed_at = now()");
    look(exports, OPS, "2026-01-02T00:00:00Z");
    assertThat(told())
        .containsExactly("exports: account izmir left alone no more: it accepts again");

    scene.run("delete from tidemark.breaker");
    leaveAlone(exports);
    look(exports, OPS, "2026-01-02T00:00:00Z");
    assertThat(told()).hasSize(1);
    scene.set("2026-01-01", "expected = false");
    look(exports, OPS, "2026-01-02T00:00:00Z");
    assertThat(told())
        .containsExactly("exports: account izmir left alone no more: not expected any more");
  }

  private void leaveAlone(RegisteredPipeline exports) {
    scene.run(
        """
        insert into tidemark.breaker
            (pipeline_id, account, refusals, refused_at, last_error, opened_at, until)
        values (?, 'izmir', 3, now(), 'access denied', now(), now() + interval '1 hour')
        """,
        exports.id());
  }

  // Two workers look at the same moment: one of them tells
  @Test
  void twoThatLookAtOnceTellOnce() throws Exception {
    scene.rows(sales, "2026-01-01", "2026-01-20");
    ExecutorService both = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Integer>> looks = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        looks.add(() -> look("2026-02-01T00:00:00Z"));
      }
      int raised = 0;
      for (Future<Integer> look : both.invokeAll(looks)) {
        raised += look.get();
      }
      assertThat(raised).isEqualTo(30);
    } finally {
      both.shutdown();
    }
    assertThat(told()).containsExactly("sales: 2026-01-01 and 29 more overdue");
  }

  // The index has all that a look reads: it costs as much as there is wrong
  @Test
  void readsNothingOfWhatIsDone() {
    scene.run(
        """
        insert into tidemark.partition_ledger
            (pipeline_id, slice, partition, window_start, window_end, committed_token,
             processed_version, input_version)
        select ?, 'n=' || n, 'd', '2026-01-01Z', '2026-01-02Z', n, '', ''
          from generate_series(1, 20000) n
        """,
        sales.id());
    scene.rows(sales, "2026-01-01", "2026-01-02");
    scene.run("analyze tidemark.partition_ledger");
    assertThat(
            scene.text(
                """
                select string_agg(indexrelid::regclass || ' ' || reltuples, ',')
                  from pg_index join pg_class on oid = indexrelid
                 where relname = 'partition_attention'
                """))
        .isEqualTo("tidemark.partition_attention 2");
  }

  private int look(String now) {
    return look(sales, OPS, now);
  }

  private int look(RegisteredPipeline pipeline, Routing routing, String now) {
    return alerts.look(pipeline, List.of(), routing, Instant.parse(now));
  }

  private String freshness(String now) {
    return reader.status(sales, Instant.parse(now)).freshness();
  }

  private String partition(String day, String now) {
    Explanation.Timeliness timeliness =
        plans
            .explain(
                sales,
                sales.definition().extent().partitions().parse(day),
                Slice.EMPTY,
                Instant.parse(now))
            .freshness();
    return timeliness.state() + " by " + timeliness.deadline();
  }

  private List<String> told() {
    return told("ops");
  }

  private List<String> told(String channel) {
    List<String> texts = new ArrayList<>();
    Optional<Outbox.Letter> next = outbox.take(channel);
    while (next.isPresent()) {
      texts.add(next.get().message().text());
      outbox.sent(next.get());
      next = outbox.take(channel);
    }
    return texts;
  }
}
