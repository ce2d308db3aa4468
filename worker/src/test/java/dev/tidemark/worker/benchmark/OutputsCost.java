package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.publish.Reconciliation;
import dev.tidemark.activities.publish.Reconciliation.Reconciled;
import dev.tidemark.activities.publish.Verification;
import dev.tidemark.activities.store.LocalStore;
import dev.tidemark.activities.store.Stores;
import dev.tidemark.worker.plugin.Output;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** What it costs to compare outputs of one small file each with the ledger, on a local disk. */
final class OutputsCost {
  private static final String EMPTY =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

  private final OutputLedger ledger;
  private final RegisteredPipeline pipeline;
  private final Stores stores;

  private OutputsCost(DataSource ledger, RegisteredPipeline pipeline, Path folder) {
    this.ledger = OutputLedger.of(ledger);
    this.pipeline = pipeline;
    this.stores = location -> new LocalStore(folder.resolve(location), Clock.systemUTC());
  }

  static void run(DataSource ledger, int outputs, int samples) throws IOException {
    Path folder = Files.createTempDirectory("tidemark-outputs");
    try {
      for (int size : List.of(10_000, outputs)) {
        OutputsCost cost = prepare(ledger, "outputs-" + size, size, folder);
        cost.measure(size, samples);
      }
    } finally {
      Folders.remove(folder);
    }
  }

  private static OutputsCost prepare(DataSource ledger, String name, int size, Path folder)
      throws IOException {
    Pipeline declared =
        Pipeline.named(name)
            .quarterHourly(ZoneOffset.UTC)
            .from("2016-01-01T00:00")
            .task(context -> {})
            .output(Output.hive("out"))
            .build();
    RegisteredPipeline pipeline =
        new Definitions(ledger).register(declared.definition(), "benchmark").pipeline();
    var windows = declared.definition().extent().partitions();
    Window last = windows.plus(windows.first(), size - 1);
    new ExpectedSet(ledger)
        .bringUpTo(pipeline, List.of(new ExpectedSlice(Slice.EMPTY, windows.first())), last);
    long token = 0;
    for (Window window : windows.windows(windows.first().start(), last.end())) {
      write(folder.resolve("out"), pipeline, window, ++token);
    }
    return new OutputsCost(ledger, pipeline, folder);
  }

  private static void write(Path out, RegisteredPipeline pipeline, Window window, long token)
      throws IOException {
    String label = window.label();
    Path day =
        out.resolve(pipeline.name())
            .resolve("dt=" + label.substring(0, 10))
            .resolve("hour=" + label.substring(11, 13))
            .resolve("minute=" + label.substring(14));
    Files.createDirectories(day);
    Files.createFile(day.resolve("part-00000-" + token + ".csv"));
    Files.writeString(
        day.resolve("_manifest.json"),
        """
        {"format_version":1,"pipeline":"%s","partition":"%s","slice":{},"window_start":"%s","window_end":"%s",
        "zone":"UTC","token":%d,"revision":1,"definition":"%s","input_version":null,"processed_at":"%s",
        "attempt_began_at":"%s","closed_through":"%s","predecessor":null,"rows":0,"bytes":0,"content":"%s",
        "schema":null,"source":null,"files":[{"name":"part-00000-%d.csv","rows":0,"bytes":0,"sha256":"%s"}],
        "created_by":"benchmark"}"""
            .formatted(
                pipeline.name(),
                label,
                window.start(),
                window.end(),
                token,
                pipeline.fingerprint(),
                window.end(),
                window.end(),
                window.start(),
                EMPTY,
                token,
                EMPTY));
  }

  private void measure(int size, int samples) throws IOException {
    Reconciliation reconciliation = new Reconciliation(ledger, stores);
    long began = System.nanoTime();
    expect(size, reconciliation.run(pipeline, Reconciliation.Request.ALL).adopted());
    Figures.figure("rebuild a ledger of %,d outputs".formatted(size), "%.2f s", seconds(began));
    began = System.nanoTime();
    Reconciled reconciled = reconciliation.run(pipeline, Reconciliation.Request.ALL);
    expect(size, reconciled.checked() - reconciled.lost() - reconciled.stale());
    Figures.figure(
        "reconcile %,d outputs (100,000 below 10 s)".formatted(size), "%.2f s", seconds(began));
    Verification verification = new Verification(ledger, stores);
    List<Double> checks = new ArrayList<>();
    for (int i = 0; i < samples; i++) {
      began = System.nanoTime();
      verification.check(pipeline);
      checks.add(seconds(began) * 1e3);
    }
    Figures.figure(
        "a sweep's check of 10,000 of %,d outputs (below 200 ms)".formatted(size),
        "%.0f ms",
        Figures.median(checks));
  }

  private static void expect(int expected, int found) {
    if (expected != found) {
      throw new IllegalStateException("expected " + expected + " outputs, and found " + found);
    }
  }

  private static double seconds(long began) {
    return (System.nanoTime() - began) / 1e9;
  }
}
