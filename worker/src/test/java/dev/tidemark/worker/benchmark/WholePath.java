package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.worker.embedded.Services;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.worker.process.TidemarkWorker;
import dev.tidemark.workflows.pipeline.Limits;
import io.temporal.worker.WorkerFactory;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Partitions per second through the whole path (claim, begin, a Java task without output, settle)
 * beside a bare fan-out of activities that do nothing, on the same servers, in turn. Each with
 * several windows: the best of one is compared with the best of the other.
 */
final class WholePath {
  private static final int WARM_UP_ROUNDS = 2;

  private WholePath() {}

  static void run(Services services, BenchmarkOptions options) throws Exception {
    List<Integer> windows = options.windows();
    List<Pipeline> pipelines = windows.stream().map(WholePath::pipeline).toList();
    int partitions = options.partitions();
    List<Contender> bare = new ArrayList<>();
    List<Contender> product = new ArrayList<>();
    for (int i = 0; i < windows.size(); i++) {
      int window = windows.get(i);
      bare.add(
          new Contender(
              "bare fan-out, window " + window,
              () -> Workers.bareFanOut(services.client()).run(partitions, window),
              partitions));
      product.add(
          new Contender(
              "whole path, parallel " + window,
              new SweepRun(
                  services,
                  new Definitions(services.ledger())
                      .register(pipelines.get(i).definition(), "benchmark")
                      .pipeline(),
                  partitions),
              partitions));
    }
    WorkerFactory bareWorker = Workers.bare(services.client());
    TidemarkWorker worker = Workers.tidemark(services, pipelines);
    try {
      inTurn(services, bare, product, WARM_UP_ROUNDS);
      bare.forEach(Contender::forget);
      product.forEach(Contender::forget);
      inTurn(services, bare, product, options.rounds());
    } finally {
      worker.close();
      bareWorker.shutdownNow();
    }
    report(best(bare), best(product));
  }

  private static void inTurn(
      Services services, List<Contender> bare, List<Contender> product, int rounds)
      throws Exception {
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < bare.size(); i++) {
        bare.get(i).run(services.ledger());
        product.get(i).run(services.ledger());
      }
    }
  }

  private static Contender best(List<Contender> contenders) {
    return contenders.stream().max(Comparator.comparing(Contender::rate)).orElseThrow();
  }

  private static void report(Contender bare, Contender product) {
    Figures.figure(bare.name(), "%s", bare.summary());
    Figures.figure(product.name(), "%s", product.summary());
    Figures.figure("whole path : bare, rate (at least 0.75)", "%.2f", product.rate() / bare.rate());
    Figures.figure("the same, round by round", "%.2f", product.rateRatioTo(bare));
    Figures.figure(
        "bare : whole path, CPU", "%.2f", (double) bare.cpu().total() / product.cpu().total());
  }

  private static Pipeline pipeline(int parallel) {
    return Pipeline.named("parallel-" + parallel)
        .hourly(ZoneOffset.UTC)
        .from("1900-01-01T00")
        .limits(new Limits(1_000_000, Duration.ofHours(1), parallel, null, null, 50))
        .task(Workers.NOTHING)
        .build();
  }
}
