package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.activities.publish.Contents;
import dev.tidemark.activities.publish.Publication;
import dev.tidemark.activities.publish.Publisher;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.worker.plugin.Output;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.OutputSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Publishing and settling of attempts that have begun, on a local folder, beside a bare program
 * that writes the same; a hundred of one and a hundred of the other in turn.
 */
final class PublishCost {
  private static final int BATCH = 100;
  private static final int MEGABYTE = 1 << 20;
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final Attempts attempts;
  private final Claims claims;
  private final Publisher publisher;
  private final RegisteredPipeline pipeline;
  private final Path folder;
  private final BarePublish bare;

  private PublishCost(DataSource ledger, Path folder, RegisteredPipeline pipeline)
      throws Exception {
    this.attempts = new Attempts(ledger);
    this.claims = new Claims(ledger);
    this.publisher =
        new Publisher(
            attempts,
            new ConfiguredStores(folder, Connections.NONE, Clock.systemUTC()),
            Clock.systemUTC(),
            "benchmark");
    this.pipeline = pipeline;
    this.folder = folder;
    this.bare = new BarePublish(ledger, folder.resolve("bare"));
  }

  static void run(DataSource ledger, Path folder, int small) throws Exception {
    Pipeline declared =
        Pipeline.named("published")
            .hourly(ZoneOffset.UTC)
            .from("2023-01-01T00")
            .limits(new Limits(1_000_000, Duration.ofHours(1), 500, null, null, 50))
            .task(context -> {})
            .output(Output.hive("product"))
            .build();
    RegisteredPipeline pipeline =
        new Definitions(ledger).register(declared.definition(), "benchmark").pipeline();
    new ExpectedSet(ledger)
        .bringUpTo(
            pipeline,
            new SliceSets(Connections.NONE).expand(pipeline.definition()),
            pipeline.definition().extent().closedThrough(NOW).orElseThrow());
    PublishCost cost = new PublishCost(ledger, folder, pipeline);
    cost.compare("publish 4 files of 1 MB", 4, MEGABYTE, 2 * BATCH, 1.3);
    cost.compare("publish 1 file of 1 KB", 1, 1024, small, 1.4);
  }

  private void compare(String name, int files, int bytes, int times, double target)
      throws Exception {
    byte[] content = new byte[bytes];
    new Random(bytes).nextBytes(content);
    String marker = manifest(files, content);
    List<Double> product = new ArrayList<>();
    List<Double> ofBare = new ArrayList<>();
    for (int done = -BATCH; done < times; done += BATCH) {
      List<Begun> begun = begin();
      long began = System.nanoTime();
      for (Begun attempt : begun) {
        publish(attempt, files, content);
      }
      long between = System.nanoTime();
      for (int i = 0; i < BATCH; i++) {
        bare.publish(files, content, marker);
      }
      long ended = System.nanoTime();
      if (done >= 0) {
        product.add((between - began) / 1e6 / BATCH);
        ofBare.add((ended - between) / 1e6 / BATCH);
      }
    }
    double medianOfProduct = Figures.median(product);
    double medianOfBare = Figures.median(ofBare);
    Figures.figure(
        name + ", " + times + " times",
        "%.2f ms, bare program %.2f ms, ratio %.2f (at most %.1f)",
        medianOfProduct,
        medianOfBare,
        medianOfProduct / medianOfBare,
        target);
  }

  private List<Begun> begin() {
    ClaimRequest request =
        new ClaimRequest(
            UUID.randomUUID().toString(), pipeline.name(), Scope.ALL, NOW, BATCH, null);
    List<Begun> begun = new ArrayList<>();
    for (Claim claim : claims.claim(request).claims()) {
      begun.add((Begun) attempts.begin(claim, 1, "benchmark"));
    }
    if (begun.size() != BATCH) {
      throw new IllegalStateException("begun " + begun.size());
    }
    return begun;
  }

  private void publish(Begun begun, int files, byte[] content) throws Exception {
    OutputSpec output = Objects.requireNonNull(pipeline.definition().output());
    try (Publication publication = publisher.open(begun, output)) {
      for (int i = 0; i < files; i++) {
        Files.write(publication.folder().resolve("f" + i), content);
      }
      Committed committed = publication.publish(null, Contents.of(null));
      attempts.commit(begun.token(), committed, null);
    }
  }

  /** A manifest of the product, for the bare program to write one as large. */
  private String manifest(int files, byte[] content) throws Exception {
    Begun begun = begin().get(0);
    publish(begun, files, content);
    String label = begun.window().label();
    return Files.readString(
        folder
            .resolve("product/published")
            .resolve("dt=" + label.substring(0, 10))
            .resolve("hour=" + label.substring(11))
            .resolve("_manifest.json"));
  }
}
