package dev.tidemark.activities.ledger.census;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.alert.Alerts;
import dev.tidemark.activities.alert.Routing;
import dev.tidemark.activities.backfill.LedgerScene;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.freshness.Freshness;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The numbers of all pipelines agree with what status says of each, at a smaller price. */
class CensusTest {
  private static final Instant NOW = Instant.parse("2026-01-09T02:00:00Z");

  private final LedgerScene scene = new LedgerScene();
  private final Census census = new Census(scene.dataSource);
  private final RegisteredPipeline sales =
      new Definitions(scene.dataSource).register(definition("sales"), "test").pipeline();

  @AfterEach
  void close() {
    scene.close();
  }

  private static PipelineDefinition definition(String name) {
    PipelineDefinition base = LedgerScene.definition(name, List.of(), Duration.ZERO);
    Pace pace = base.pace();
    return new PipelineDefinition(
        name,
        base.extent(),
        base.inputs(),
        base.integration(),
        new Pace(
            pace.sweep(),
            pace.order(),
            pace.catchUp(),
            pace.limits(),
            pace.retry(),
            Duration.ofHours(2)),
        base.task(),
        null);
  }

  @Test
  void countsEveryStateOnceAsStatusDoes() {
    scene.rows(sales, "2026-01-01", "2026-01-07");
    scene.commit("2026-01-01");
    scene.set("2026-01-01", "input_version = 'newer'");
    scene.commit("2026-01-02");
    scene.set("2026-01-03", "failed_claims = 1, next_attempt_at = 'infinity'");
    scene.set("2026-01-04", "failed_claims = 10, parked_at = now()");
    scene.set("2026-01-05", "excused_at = now(), excuse = 'x'");
    scene.claim("2026-01-06", "live");
    scene.begin("2026-01-06");
    scene.commit("2026-01-07");

    PipelineCensus one = census.take(NOW).get(0);

    Map<String, Integer> expected =
        new HashMap<>(new LedgerReader(scene.dataSource).status(sales, NOW).counts());
    expected.remove("too_late");
    assertThat(one.states())
        .isEqualTo(expected)
        .containsEntry("completed", 3)
        .containsEntry("never_attempted", 1)
        .containsEntry("running", 1);
    // 2026-01-03, 04 and 06, and the 8th, which has no row.
    assertThat(one.backlog())
        .isEqualTo(new PipelineCensus.Backlog(1, 1, 4, Duration.ofDays(5).plusHours(2)));
    assertThat(one.freshness()).isEqualTo(Freshness.STALE);
  }

  @Test
  void ofWhatNoSweepHasPlannedEachWindowIsAHole() {
    PipelineCensus one = census.take(Instant.parse("2026-01-03T01:00:00Z")).get(0);
    assertThat(one.states()).containsEntry("never_attempted", 2).containsEntry("completed", 0);
    assertThat(one.backlog().hole()).isEqualTo(Duration.ofHours(25));
    assertThat(one.backlog().overdue()).isEqualTo(1);
    assertThat(one.sweepAge()).isNull();
  }

  @Test
  void saysWhatIsOpenAndWhatHasRecovered() {
    Alerts alerts = new Alerts(scene.dataSource);
    scene.rows(sales, "2026-01-01", "2026-01-08");
    for (int day = 1; day <= 7; day++) {
      scene.commit("2026-01-0" + day);
    }
    alerts.look(sales, List.of(), Routing.NONE, NOW);
    assertThat(census.take(NOW).get(0).alerts()).isEqualTo(Map.of("freshness", 1));

    scene.commit("2026-01-08");
    alerts.look(sales, List.of(), Routing.NONE, NOW);

    PipelineCensus one = census.take(NOW).get(0);
    assertThat(one.alerts()).isEmpty();
    assertThat(one.backlog().hole()).isZero();
    assertThat(one.freshness()).isEqualTo(Freshness.RECOVERED);
  }

  @Test
  void anEmptyLedgerHasNoPipelines() {
    new Definitions(scene.dataSource).remove("sales");
    assertThat(census.take()).isEmpty();
  }
}
