package dev.tidemark.activities.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.activities.backfill.LedgerScene;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.inputs.ChangeDetector;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.WakeFlags;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.attempt.Begin;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.ledger.output.Outputs;
import dev.tidemark.activities.planning.Explanation;
import dev.tidemark.activities.planning.Plans;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.activities.publish.Verification;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.InputChange;
import dev.tidemark.workflows.ledger.PlanRequest;
import dev.tidemark.workflows.ledger.Refusal;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.ledger.SweepPlan;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.CatchUp;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.planning.PlannedPartition;
import io.temporal.failure.ApplicationFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Plan, request, explain: the ledger with a detector whose world a test changes. */
class LedgerServiceTest {
  private static final Instant NOW = Instant.parse("2026-01-06T00:00:00Z");

  private final Map<String, String> world = new ConcurrentSkipListMap<>();
  private final AtomicBoolean broken = new AtomicBoolean();
  private final LedgerScene scene = new LedgerScene();
  private final Definitions definitions = new Definitions(scene.dataSource);
  private final Observations observations = new Observations(scene.dataSource);
  private final Claims claims = new Claims(scene.dataSource);
  private final Attempts attempts = new Attempts(scene.dataSource);
  private final Backfills backfills = new Backfills(scene.dataSource);
  private final LedgerReader reader = new LedgerReader(scene.dataSource);
  private final SliceSets sliceSets = new SliceSets(Connections.NONE);
  private final InputVersions inputVersions =
      new InputVersions(
          Connections.NONE,
          Path.of("."),
          Map.of("world", this::scan),
          observations,
          new Upstreams(scene.dataSource));
  private final LedgerService service =
      new LedgerService(
          definitions,
          new Preparation(
              sliceSets, new ExpectedSet(scene.dataSource), inputVersions, observations, reader),
          claims,
          attempts,
          backfills,
          new Verification(
              OutputLedger.of(scene.dataSource),
              location -> {
                throw new IllegalArgumentException("these pipelines have no output");
              }),
          new WakeFlags(scene.dataSource));
  private final Plans plans =
      new Plans(reader, sliceSets, inputVersions, new Outputs(scene.dataSource));
  private final RegisteredPipeline pipeline = registered();

  private void scan(
      ChangeDetector.Range range, java.util.function.Consumer<ChangeDetector.Found> found) {
    if (broken.get()) {
      throw new IllegalStateException("the source is down");
    }
    world.forEach(
        (partition, version) ->
            found.accept(new ChangeDetector.Found(partition, Slice.EMPTY, version)));
  }

  private RegisteredPipeline registered() {
    PipelineDefinition base = LedgerScene.definition("sales", List.of(), Duration.ZERO);
    return definitions
        .register(
            new PipelineDefinition(
                base.name(),
                base.extent(),
                List.of(new InputSpec.Custom("world", false)),
                base.integration(),
                base.pace(),
                base.task(),
                null),
            "test")
        .pipeline();
  }

  @AfterEach
  void close() {
    scene.close();
  }

  // A19, A33
  @Test
  void aPlanBringsTheExpectedSetUpToDateAndCountsWhatIsDue() {
    arrive("2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04");
    SweepPlan plan = service.plan(new PlanRequest("sales", Scope.ALL, NOW));
    assertThat(plan.closedThrough()).isEqualTo("2026-01-05");
    assertThat(plan.planned()).isEqualTo(4);
    assertThat(plan.now()).isEqualTo(NOW);
    assertThat(scene.get("2026-01-05", "no_input")).isEqualTo("true");
  }

  // C10, C12, C15
  @Test
  void aChangedInputIsLateAndOnlyThat() {
    arrive("2026-01-01", "2026-01-02");
    assertThat(sweep()).containsExactly("2026-01-02", "2026-01-01");
    assertThat(sweep()).isEmpty();
    world.put("2026-01-01", "v2");
    assertThat(sweep()).containsExactly("2026-01-01");
    assertThat(sweep()).isEmpty();
  }

  // c-F1, c-F3: the same answer after a pause as after downtime
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatClosedMeanwhileIsCaughtUpWithByPolicyAlsoAfterAPause(boolean pause) {
    PipelineDefinition base = LedgerScene.definition("newest", List.of(), Duration.ZERO);
    definitions.register(
        new PipelineDefinition(
            base.name(),
            base.extent(),
            List.of(),
            base.integration(),
            new Pace(
                base.pace().sweep(),
                base.pace().order(),
                new CatchUp.Newest(1),
                base.pace().limits(),
                base.pace().retry(),
                null),
            base.task(),
            null),
        "test");
    assertThat(sweep("newest", "2026-01-02T00:00:00Z")).containsExactly("2026-01-01");

    if (pause) {
      definitions.pause("newest", "test");
      for (int day = 3; day <= 5; day++) {
        Instant tick = Instant.parse("2026-01-0%dT00:00:00Z".formatted(day));
        assertThat(service.plan(new PlanRequest("newest", Scope.ALL, tick)).paused()).isTrue();
      }
      definitions.resume("newest");
    }

    assertThat(sweep("newest", "2026-01-06T00:00:00Z")).containsExactly("2026-01-05");
    assertThat(
            scene.number(
                "select count(*) from public.partition_state where pipeline = 'newest' and reason = 'skipped_by_catch_up'"))
        .isEqualTo(3);
  }

  private List<String> sweep(String name, String now) {
    service.plan(new PlanRequest(name, Scope.ALL, Instant.parse(now)));
    List<Claim> taken =
        service
            .claim(
                new ClaimRequest(
                    java.util.UUID.randomUUID().toString(),
                    name,
                    Scope.ALL,
                    Instant.parse(now),
                    20,
                    null))
            .claims();
    for (Claim claim : taken) {
      Begin.Begun begun = (Begin.Begun) attempts.begin(claim, 1, "w");
      attempts.commit(begun.token(), new Attempts.Committed(null, null, null, null), null);
    }
    return taken.stream().map(Claim::partition).toList();
  }

  // C22: a push that names no partition of the pipeline is refused
  @Test
  void aSignalledChangeIsNoted() {
    assertThatThrownBy(() -> service.changed("sales", new InputChange("2026-13", null, null)))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(Refusal.INVALID));
    service.changed("sales", new InputChange("2026-01-02", null, "v7"));
    assertThat(observations.pushed(pipeline))
        .singleElement()
        .satisfies(seen -> assertThat(seen.version()).isEqualTo("v7"));
  }

  // A detector that cannot tell is never taken for "nothing there"
  @Test
  void aBrokenDetectorChangesNothingThatWasKnown() {
    arrive("2026-01-01", "2026-01-02");
    service.plan(new PlanRequest("sales", Scope.ALL, NOW));
    broken.set(true);
    assertThat(service.plan(new PlanRequest("sales", Scope.ALL, NOW)).planned()).isEqualTo(2);
    List<String> notices = new ArrayList<>();
    assertThat(runs(notices)).containsExactly("2026-01-02", "2026-01-01");
    assertThat(notices).singleElement().asString().contains("the source is down");
    assertThat(explain("2026-01-02").notices()).hasSize(1);
  }

  // What a plan says is what a sweep then does; and the plan wrote nothing
  @Test
  void aReadOnlyPlanWritesNothing() {
    arrive("2026-01-01", "2026-01-03");
    String before = scene.everything();
    List<String> planned = runs(new ArrayList<>());
    Explanation explained = explain("2026-01-03");
    assertThat(scene.everything()).isEqualTo(before);
    assertThat(explained.due()).isTrue();
    assertThat(planned).containsExactly("2026-01-03", "2026-01-01");
    assertThat(sweep()).isEqualTo(planned);
  }

  // c-H1, c-C15: no sweep was there before
  @Test
  void aRequestOnAFreshLedgerFindsItsPartitions() {
    arrive("2026-01-01", "2026-01-02", "2026-01-03");
    BackfillView dry = service.previewBackfill(pipeline, asked("2026-01-01", "2026-01-03"));
    BackfillView real = service.requestBackfill("sales", asked("2026-01-01", "2026-01-03"), false);
    assertThat(dry.partitions()).isEqualTo(real.partitions()).isEqualTo(3);
    assertThat(service.outlook(new PlanRequest("sales", Scope.REQUESTED, NOW)).claimable())
        .isEqualTo(3);
    assertThat(run(Scope.REQUESTED)).hasSize(3);
    assertThat(service.outlook(new PlanRequest("sales", Scope.REQUESTED, NOW)).openRequests())
        .isZero();
    assertThat(backfills.list().get(0).state()).isEqualTo(BackfillView.State.COMPLETED);
  }

  // A request that a signal brings cannot be answered: it stays, rejected
  @Test
  void aRefusalCrossesTemporalOrIsRecorded() {
    BackfillRequest unclosed = asked("2026-01-01", "2026-01-09");
    assertThatThrownBy(() -> service.requestBackfill("sales", unclosed, false))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(Refusal.INVALID);
              assertThat(failure.isNonRetryable()).isTrue();
              assertThat(failure.getDetails().get(0, String.class)).isEqualTo("to");
            });
    assertThat(scene.number("select count(*) from tidemark.partition_ledger")).isZero();
    BackfillView rejected = service.requestBackfill("sales", unclosed, true);
    assertThat(rejected.state()).isEqualTo(BackfillView.State.REJECTED);
    assertThat(rejected.error()).contains("2026-01-05");
    assertThatThrownBy(() -> service.plan(new PlanRequest("none", Scope.ALL, NOW)))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(Refusal.UNKNOWN_PIPELINE));
  }

  // c-M7: total, for any partition
  @Test
  void explainAnswersForEveryPartition() {
    arrive("2026-01-01", "2026-01-02", "2026-01-03", "2026-01-04");
    sweep();
    world.put("2026-01-02", "v2");
    scene.set("2026-01-03", "excused_at = now(), excuse = 'source is gone'");
    scene.set("2026-01-04", "parked_at = now(), failed_claims = 10, last_error = 'boom'");
    assertReason("2025-12-31", "before_start", "2026-01-01");
    assertReason("2027-01-01", "after_end", "2027-01-01");
    assertReason("2026-01-06", "not_closed", "2026-01-07T00:00:00Z");
    assertReason("2026-01-01", "up_to_date", "committed");
    assertReason("2026-01-02", "late", "'v2' now, and 'v1' was processed");
    assertReason("2026-01-03", "excused", "source is gone");
    assertReason("2026-01-04", "parked", "boom");
    assertReason("2026-01-05", "no_input", "not there");
    Partitioning days = pipeline.definition().extent().partitions();
    assertThat(
            plans
                .explain(pipeline, days.first(), Slice.of(Map.of("unit", "x")), NOW)
                .reasons()
                .get(0)
                .code())
        .isEqualTo("unknown_slice");
    assertThat(explain("2026-01-01").attempts())
        .singleElement()
        .satisfies(attempt -> assertThat(attempt.outcome()).isEqualTo("committed"));
  }

  private void assertReason(String partition, String code, String detail) {
    Explanation.Because because = explain(partition).reasons().get(0);
    assertThat(because.code()).isEqualTo(code);
    assertThat(because.detail()).contains(detail);
  }

  private Explanation explain(String partition) {
    Partitioning days = pipeline.definition().extent().partitions();
    return plans.explain(pipeline, days.parse(partition), Slice.EMPTY, NOW);
  }

  private List<String> runs(List<String> notices) {
    return plans.plan(pipeline, NOW, null, null, notices::add).partitions().stream()
        .filter(PlannedPartition::runs)
        .map(partition -> partition.window().label())
        .toList();
  }

  private void arrive(String... partitions) {
    for (String partition : partitions) {
      world.put(partition, "v1");
    }
  }

  private static BackfillRequest asked(String from, String to) {
    return new BackfillRequest(null, from, to, null, null, null, null, null, null, null, NOW);
  }

  private List<String> sweep() {
    service.plan(new PlanRequest("sales", Scope.ALL, NOW));
    return run(Scope.ALL);
  }

  private List<String> run(Scope scope) {
    List<Claim> taken =
        service
            .claim(
                new ClaimRequest(
                    java.util.UUID.randomUUID().toString(), "sales", scope, NOW, 20, null))
            .claims();
    for (Claim claim : taken) {
      Begin.Begun begun = (Begin.Begun) attempts.begin(claim, 1, "w");
      attempts.observed(begun.token(), world.get(claim.partition()), observations.now());
      attempts.commit(begun.token(), new Attempts.Committed(null, null, null, null), null);
    }
    return taken.stream().map(Claim::partition).toList();
  }
}
