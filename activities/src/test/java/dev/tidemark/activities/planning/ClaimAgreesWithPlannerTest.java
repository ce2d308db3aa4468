package dev.tidemark.activities.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.backfill.LedgerScene;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.attempt.Begin;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.planning.ExpectedSlice;
import dev.tidemark.workflows.planning.PlanInput;
import dev.tidemark.workflows.planning.PlannedPartition;
import dev.tidemark.workflows.planning.Planner;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The rule of what is due is written twice, in SQL for the claim and in Java for plans and
 * explanations: on any state of the rows, both must say the same.
 */
class ClaimAgreesWithPlannerTest {
  private static final int CASES = 200;
  private static final int WINDOWS = 24;
  private static final int CLOSED = 20;
  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant NOW = FIRST.plus(Duration.ofDays(CLOSED));

  private static LedgerScene scene;
  private static Definitions definitions;
  private static Claims claims;
  private static Attempts attempts;
  private static LedgerReader reader;

  @BeforeAll
  static void open() {
    scene = new LedgerScene();
    definitions = new Definitions(scene.dataSource);
    claims = new Claims(scene.dataSource);
    attempts = new Attempts(scene.dataSource);
    reader = new LedgerReader(scene.dataSource);
  }

  @AfterAll
  static void close() {
    scene.close();
  }

  // A19, A33, C14, C20, C21, invariant 7
  @Test
  void whatClaimsTakeIsWhatThePlanSays() {
    for (int seed = 0; seed < CASES; seed++) {
      Random random = new Random(seed);
      RegisteredPipeline pipeline = pipeline(seed, random);
      rows(pipeline, random);
      link(pipeline, random);
      SortedMap<String, String> planned = planned(pipeline);
      SortedMap<String, String> claimed = claimed(pipeline);
      assertThat(claimed)
          .as("seed %d, %s", seed, pipeline.definition().integration())
          .isEqualTo(planned);
    }
  }

  /** What builds on what, in a stateful pipeline; some of it was built on an older commit. */
  private static void link(RegisteredPipeline pipeline, Random random) {
    if (!pipeline.definition().integration().stateful()) {
      return;
    }
    Partitioning days = pipeline.definition().extent().partitions();
    scene.run(
        """
        insert into tidemark.expected_slice (pipeline_id, slice, since, through, revision)
        values (?, '', ?::timestamptz, ?::timestamptz, 0)
        """,
        pipeline.id(),
        FIRST.toString(),
        days.plus(days.first(), WINDOWS).start().toString());
    new ExpectedSet(scene.dataSource)
        .bringUpTo(
            pipeline,
            List.of(new ExpectedSlice(Slice.EMPTY, days.first())),
            days.plus(days.first(), WINDOWS - 1));
    if (random.nextBoolean()) {
      scene.run(
          """
          update tidemark.partition_ledger
             set predecessor = predecessor - 1
           where pipeline_id = ? and partition = ? and predecessor_now > 0
          """,
          pipeline.id(),
          days.plus(days.first(), random.nextInt(WINDOWS)).label());
    }
  }

  private static RegisteredPipeline pipeline(int seed, Random random) {
    PipelineDefinition base = LedgerScene.definition("agree-" + seed, List.of(), Duration.ZERO);
    boolean stateful = random.nextInt(3) == 0;
    Integration integration =
        new Integration(
            random.nextBoolean() ? List.of() : List.of(1, 3, 7),
            Period.ofDays(10),
            stateful
                ? Integration.Strategy.LATE_FIRST
                : pick(random, Integration.Strategy.values()),
            stateful,
            random.nextInt(5) == 0,
            pick(random, Integration.OnDefinitionChange.values()));
    Pace pace =
        new Pace(
            base.pace().sweep(),
            stateful ? Pace.Order.OLDEST_FIRST : pick(random, Pace.Order.values()),
            base.pace().catchUp(),
            new Limits(1000, Duration.ofMinutes(10), 500, null, null, 50),
            base.pace().retry(),
            null);
    PipelineDefinition definition =
        new PipelineDefinition(
            base.name(), base.extent(), base.inputs(), integration, pace, base.task(), null);
    RegisteredPipeline pipeline = definitions.register(definition, "test").pipeline();
    if (random.nextInt(6) == 0) {
      definitions.pause(pipeline.name(), "test");
    }
    return definitions.get(pipeline.name());
  }

  private static void rows(RegisteredPipeline pipeline, Random random) {
    Partitioning days = pipeline.definition().extent().partitions();
    String backfill = "bf-" + pipeline.name();
    scene.run(
        """
        insert into tidemark.backfill
            (backfill_id, pipeline_id, request_id, first, last, mode, state)
        values (?, ?, 'r', '', '', 'all', 'requested')
        """,
        backfill,
        pipeline.id());
    for (int i = 0; i < WINDOWS; i++) {
      Window window = days.plus(days.first(), i);
      row(pipeline, window, i, backfill, random);
    }
  }

  private static void row(
      RegisteredPipeline pipeline, Window window, int index, String backfill, Random random) {
    List<String> set = new ArrayList<>();
    boolean committed = random.nextInt(3) > 0;
    int done = committed ? 1 + random.nextInt(3) : 0;
    boolean asked = random.nextInt(4) == 0;
    set.add("done_gen = " + done);
    set.add("requested_gen = " + (done + (asked ? 1 : -random.nextInt(2) * done)));
    if (committed) {
      commit(pipeline, index, set, random);
    } else if (random.nextInt(6) == 0) {
      set.add("skipped_at = now()");
    }
    trouble(set, committed, random);
    scene.run(
        """
        insert into tidemark.partition_ledger
            (pipeline_id, slice, partition, window_start, window_end)
        values (?, '', ?, ?::timestamptz, ?::timestamptz)
        """,
        pipeline.id(),
        window.label(),
        window.start().toString(),
        window.end().toString());
    scene.run(
        "update tidemark.partition_ledger set "
            + String.join(", ", set)
            + " where pipeline_id = ? and partition = ?",
        pipeline.id(),
        window.label());
    if (asked) {
      scene.run(
          """
          insert into tidemark.backfill_item (backfill_id, row_id, wanted_gen)
          select ?, id, requested_gen
            from tidemark.partition_ledger
           where pipeline_id = ? and partition = ?
          """,
          backfill,
          pipeline.id(),
          window.label());
    }
  }

  private static void commit(
      RegisteredPipeline pipeline, int index, List<String> set, Random random) {
    int lag = Math.min(random.nextInt(9), Math.max(0, CLOSED - 1 - index));
    set.add("committed_token = nextval('tidemark.token'), committed_at = now()");
    set.add("processed_version = 'v1', input_version = '" + pick(random, "v1", "v1", "v2") + "'");
    set.add(
        "closed_through = window_start + interval '24 hours' * %d, closed_lag = %d"
            .formatted(lag, lag));
    set.add("definition = '" + pick(random, pipeline.fingerprint(), "older") + "'");
    if (random.nextInt(8) == 0) {
      set.add("output_lost_at = now()");
    }
  }

  private static void trouble(List<String> set, boolean committed, Random random) {
    // What a foreign claim of a committed row integrates is not told by its row.
    switch (random.nextInt(committed ? 11 : 12)) {
      case 0 -> set.add("parked_at = now(), failed_claims = 10");
      case 1 -> set.add("failed_claims = 1, next_attempt_at = now() + interval '1 hour'");
      case 2 ->
          set.add(
              """
              failed_claims = 1, next_attempt_at = now() + interval '1 hour',
              next_attempt_now = '2026-01-20T00:00:00Z'
              """);
      case 3 -> set.add("failed_claims = 1, next_attempt_at = now() - interval '1 hour'");
      case 4 -> set.add("excused_at = now(), excuse = 'x'");
      case 5 -> set.add("no_input = true, input_observed_at = now()");
      case 11 ->
          set.add(
              """
              claim_id = 'other', claim_class = 'live', claim_attempt = 1,
              lease_until = now() + interval '1 hour', token = nextval('tidemark.token')
              """);
      default -> {}
    }
  }

  private static SortedMap<String, String> planned(RegisteredPipeline pipeline) {
    Partitioning days = pipeline.definition().extent().partitions();
    PlanInput input =
        new PlanInput(
            new PlanInput.Registration(
                pipeline.definition(),
                pipeline.fingerprint(),
                pipeline.paused(),
                pipeline.lookbackFloor()),
            List.of(new ExpectedSlice(Slice.EMPTY, days.first())),
            reader.facts(pipeline, FIRST, FIRST.plus(Duration.ofDays(WINDOWS))),
            null,
            NOW,
            reader.now(),
            null);
    SortedMap<String, String> planned = new TreeMap<>();
    for (PlannedPartition partition : Planner.plan(input).partitions()) {
      if (partition.runs()) {
        planned.put(partition.window().label(), partition.reason().code());
      }
    }
    return planned;
  }

  /** Claims and commits until nothing is left: late-first takes the late ones first. */
  private static SortedMap<String, String> claimed(RegisteredPipeline pipeline) {
    SortedMap<String, String> claimed = new TreeMap<>();
    for (int round = 0; ; round++) {
      List<Claim> taken =
          claims
              .claim(
                  new ClaimRequest(
                      pipeline.name() + "-" + round, pipeline.name(), Scope.ALL, NOW, 500, null))
              .claims();
      if (taken.isEmpty()) {
        return claimed;
      }
      for (Claim claim : taken) {
        String reason =
            String.valueOf(
                scene.text(
                    "select claim_reason from tidemark.partition_ledger where id = ?",
                    claim.row()));
        assertThat(claimed.put(claim.partition(), reason)).isNull();
        Begin.Begun begun = (Begin.Begun) attempts.begin(claim, 1, "w");
        attempts.observed(begun.token(), begun.context().inputVersion(), reader.now());
        attempts.commit(begun.token(), new Attempts.Committed(null, null, null, null), null);
      }
    }
  }

  @SafeVarargs
  private static <T> T pick(Random random, T... values) {
    return values[random.nextInt(values.length)];
  }
}
