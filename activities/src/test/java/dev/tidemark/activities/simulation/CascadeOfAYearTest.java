package dev.tidemark.activities.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.backfill.LedgerScene;
import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.attempt.Begin;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.PlanRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.Mapping;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.Readiness;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Five pipelines, each reading the one before it, over 365 days, on the real ledger. */
class CascadeOfAYearTest {
  private static final List<String> PIPELINES = List.of("a", "b", "c", "d", "e");
  private static final Instant NOW = Instant.parse("2027-01-01T00:00:00Z");

  private final Doors doors = new Doors();
  private final World world = new World(1);
  private final ExecutorService workers = Executors.newFixedThreadPool(16);

  /** What each partition holds, by pipeline and day. */
  private final Map<String, String> contents = new ConcurrentHashMap<>();

  private boolean secondPassesOn = true;
  private int requests;

  @BeforeEach
  void define() {
    doors.reset(world);
    world.slices("a", List.of(Slice.EMPTY));
    changeEveryDay();
    for (int i = 0; i < PIPELINES.size(); i++) {
      InputSpec input =
          i == 0
              ? new InputSpec.Custom(Doors.DETECTOR, false)
              : new InputSpec.Upstream(
                  PIPELINES.get(i - 1), new Mapping.Same(), new Readiness.All());
      doors.definitions.register(definition(PIPELINES.get(i), input), "test");
    }
  }

  @AfterEach
  void close() {
    workers.shutdown();
    doors.close();
  }

  private static PipelineDefinition definition(String name, InputSpec input) {
    PipelineDefinition base = LedgerScene.definition(name, List.of(), Duration.ZERO);
    return new PipelineDefinition(
        name,
        base.extent(),
        List.of(input),
        new Integration(
            List.of(),
            Period.ofDays(400),
            Integration.Strategy.CURRENT_FIRST,
            false,
            false,
            Integration.OnDefinitionChange.ASK),
        new Pace(
            base.pace().sweep(),
            base.pace().order(),
            base.pace().catchUp(),
            new Limits(1000, Duration.ofMinutes(10), 365, null, null, 50),
            base.pace().retry(),
            null),
        base.task(),
        null);
  }

  private void changeEveryDay() {
    var days = LedgerScene.definition("a", List.of(), Duration.ZERO).extent().partitions();
    for (Window day : days.windows(days.first().start(), NOW)) {
      world.put("a", Slice.EMPTY, day);
    }
  }

  // C24, c-I1, c-I7: each partition once, whichever pipeline looks first
  @Test
  void runsEachPartitionOnceAndStopsAtEqualContent() throws Exception {
    sweepUntilNothingIsDue();
    assertThat(attempts()).containsExactly("a 1 1", "b 1 1", "c 1 1", "d 1 1", "e 1 1");

    changeEveryDay();
    sweepUntilNothingIsDue();
    assertThat(attempts()).containsExactly("a 2 2", "b 2 2", "c 2 2", "d 2 2", "e 2 2");

    secondPassesOn = false;
    changeEveryDay();
    sweepUntilNothingIsDue();
    assertThat(attempts()).containsExactly("a 3 3", "b 3 3", "c 2 2", "d 2 2", "e 2 2");
  }

  /** The fewest and the most that a partition of each pipeline has had. */
  private List<String> attempts() {
    return doors.rows(
        """
        select concat_ws(' ', p.name, min(l.attempts), max(l.attempts))
          from tidemark.partition_ledger l join tidemark.pipeline p using (pipeline_id)
         group by p.name having count(*) = 365 order by p.name
        """);
  }

  /** The last one first, so that each looks before what it reads has run. */
  private void sweepUntilNothingIsDue() throws Exception {
    int ran = 1;
    while (ran > 0) {
      ran = 0;
      for (int i = PIPELINES.size() - 1; i >= 0; i--) {
        ran += sweep(PIPELINES.get(i));
      }
    }
  }

  private int sweep(String pipeline) throws Exception {
    doors.service.plan(new PlanRequest(pipeline, Scope.ALL, NOW));
    List<Claim> claims =
        doors
            .service
            .claim(new ClaimRequest("claim " + ++requests, pipeline, Scope.ALL, NOW, 365, null))
            .claims();
    for (Future<Boolean> run : workers.invokeAll(claims.stream().map(this::running).toList())) {
      run.get();
    }
    return claims.size();
  }

  private Callable<Boolean> running(Claim claim) {
    return () -> {
      run(claim);
      return true;
    };
  }

  private void run(Claim claim) {
    Begin.Begun begun = (Begin.Begun) doors.attempts.begin(claim, 1, "worker");
    String version = String.valueOf(begun.context().inputVersion());
    doors.attempts.observed(begun.token(), version, doors.observations.now());
    String content =
        claim.pipeline().equals("b") && !secondPassesOn
            ? contents.get(claim.pipeline() + claim.partition())
            : claim.pipeline() + " of " + version;
    contents.put(claim.pipeline() + claim.partition(), content);
    doors.attempts.commit(begun.token(), new Committed(null, content, null, null), null);
  }
}
