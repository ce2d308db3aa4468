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
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;

/** Attempts that have begun, of an hourly pipeline without a task, and what settles them. */
final class BegunAttempts {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final Attempts attempts;
  private final Claims claims;
  private final Publisher publisher;
  private final RegisteredPipeline pipeline;

  /**
   * Registers the pipeline.
   *
   * @param folder in which its outputs are, in one of its own name
   */
  BegunAttempts(DataSource ledger, Path folder, String name) throws SQLException {
    this.attempts = new Attempts(ledger);
    this.claims = new Claims(ledger);
    this.publisher =
        new Publisher(
            attempts,
            new ConfiguredStores(folder, Connections.NONE, Clock.systemUTC()),
            Clock.systemUTC(),
            "benchmark");
    Pipeline declared =
        Pipeline.named(name)
            .hourly(ZoneOffset.UTC)
            .from("2023-01-01T00")
            .limits(new Limits(1_000_000, Duration.ofHours(1), 500, null, null, 50))
            .task(context -> {})
            .output(Output.hive("product"))
            .build();
    this.pipeline = new Definitions(ledger).register(declared.definition(), "benchmark").pipeline();
    new ExpectedSet(ledger)
        .bringUpTo(
            pipeline,
            new SliceSets(Connections.NONE).expand(pipeline.definition()),
            pipeline.definition().extent().closedThrough(NOW).orElseThrow());
  }

  List<Begun> begin(int count) {
    ClaimRequest request =
        new ClaimRequest(
            UUID.randomUUID().toString(), pipeline.name(), Scope.ALL, NOW, count, null);
    List<Begun> begun = new ArrayList<>();
    for (Claim claim : claims.claim(request).claims()) {
      begun.add((Begun) attempts.begin(claim, 1, "benchmark"));
    }
    if (begun.size() != count) {
      throw new IllegalStateException("begun " + begun.size());
    }
    return begun;
  }

  /** The caller closes it. */
  Publication open(Begun begun) {
    OutputSpec output = Objects.requireNonNull(pipeline.definition().output());
    return publisher.open(begun, output);
  }

  void commit(Begun begun, Committed committed) {
    attempts.commit(begun.token(), committed, null);
  }
}
