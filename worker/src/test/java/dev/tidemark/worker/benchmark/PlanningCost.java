package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.planning.ExpectedSlice;
import dev.tidemark.workflows.planning.PlanInput;
import dev.tidemark.workflows.planning.Planner;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import javax.sql.DataSource;

/** Ten years of hours, planned from nothing, then written to the ledger. */
final class PlanningCost {
  private static final int HOURS = 87_600;

  private PlanningCost() {}

  static void run(DataSource ledger) {
    Pipeline declared =
        Pipeline.named("ten-years")
            .hourly(ZoneOffset.UTC)
            .from("2016-01-01T00")
            .limits(new Limits(HOURS, Duration.ofHours(1), 100, null, null, 50))
            .task(context -> {})
            .build();
    RegisteredPipeline pipeline =
        new Definitions(ledger).register(declared.definition(), "benchmark").pipeline();
    var hours = declared.definition().extent().partitions();
    List<ExpectedSlice> slices = List.of(new ExpectedSlice(Slice.EMPTY, hours.first()));
    Window last = hours.plus(hours.first(), HOURS - 1);

    long began = System.nanoTime();
    int planned = Planner.plan(input(pipeline, slices, last.end())).partitions().size();
    Figures.figure(
        "plan %,d hours from nothing (below 2 s)".formatted(planned), "%.2f s", seconds(began));

    began = System.nanoTime();
    int enqueued = new ExpectedSet(ledger).bringUpTo(pipeline, slices, last);
    Figures.figure(
        "enqueue %,d of them (below 10 s)".formatted(enqueued), "%.2f s", seconds(began));
  }

  private static PlanInput input(
      RegisteredPipeline pipeline, List<ExpectedSlice> slices, Instant now) {
    return new PlanInput(
        new PlanInput.Registration(pipeline.definition(), pipeline.fingerprint(), false, null),
        slices,
        List.of(),
        null,
        now,
        now,
        null);
  }

  private static double seconds(long began) {
    return (System.nanoTime() - began) / 1e9;
  }
}
