package dev.tidemark.activities.sweep;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.WakeFlags;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.activities.publish.Verification;
import dev.tidemark.activities.store.ConfiguredStores;
import dev.tidemark.activities.task.TestWorker;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.PlanRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.pipeline.InputSpec;
import dev.tidemark.workflows.pipeline.Mapping;
import dev.tidemark.workflows.pipeline.OutputSpec;
import dev.tidemark.workflows.pipeline.Readiness;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/** Pipelines that read each other, swept by hand: each writes what the test says it holds. */
final class Landscape implements AutoCloseable {
  final TestLedger ledger;
  final Definitions definitions;
  Instant now = Instant.parse("2026-01-03T21:00:00Z");

  /** By pipeline and partition; what is not here holds its own name. */
  private final Map<String, String> contents = new ConcurrentHashMap<>();

  private final LedgerService service;
  private final TestWorker worker;
  private final Claims claims;

  Landscape(Path folder) {
    this.ledger = new TestLedger(folder);
    DataSource source = ledger.database.dataSource();
    ConfiguredStores stores =
        new ConfiguredStores(folder, Connections.NONE, Clock.fixed(TestLedger.NOW, ZoneOffset.UTC));
    this.definitions = new Definitions(source);
    this.claims = new Claims(source);
    this.service =
        new LedgerService(
            definitions,
            new Preparation(
                new SliceSets(Connections.NONE),
                new ExpectedSet(source),
                new InputVersions(
                    Connections.NONE, folder, Map.of(), ledger.observations, new Upstreams(source)),
                ledger.observations,
                new LedgerReader(source)),
            claims,
            new Attempts(source),
            new Backfills(source),
            new Verification(OutputLedger.of(source), stores),
            new WakeFlags(source));
    this.worker = TestWorker.on(source, stores, folder);
    worker.runs(
        context ->
            Files.writeString(
                context.output().resolve("rows"),
                contents.getOrDefault(
                    context.pipeline() + " " + context.window().label(), context.pipeline())));
  }

  static InputSpec reads(String upstream) {
    return reads(upstream, new Mapping.Same());
  }

  static InputSpec reads(String upstream, Mapping mapping) {
    return new InputSpec.Upstream(upstream, mapping, new Readiness.All());
  }

  static InputSpec reads(String upstream, Mapping mapping, Readiness ready) {
    return new InputSpec.Upstream(upstream, mapping, ready);
  }

  /** A source, whose input a test pushes. */
  RegisteredPipeline source(String name) {
    return has(TestPipeline.daily(name).inputs(new InputSpec.Push()));
  }

  RegisteredPipeline has(TestPipeline pipeline) {
    return definitions
        .register(pipeline.output(new OutputSpec.Hive("out")).build(), "test")
        .pipeline();
  }

  /** Its input changed, and it will hold this. */
  void changes(String pipeline, String partition, String content) {
    contents.put(pipeline + " " + partition, content);
    ledger.observations.push(
        definitions.get(pipeline), dev.tidemark.workflows.partition.Slice.EMPTY, partition, null);
  }

  /** The partition will hold this when it runs next. */
  void holds(String pipeline, String partition, String content) {
    contents.put(pipeline + " " + partition, content);
  }

  /** One sweep: what it ran, in order. */
  List<String> sweep(String pipeline) {
    List<String> ran = new ArrayList<>();
    for (List<Claim> next = claim(pipeline); !next.isEmpty(); next = more(pipeline)) {
      next.forEach(worker::run);
      next.forEach(claim -> ran.add(name(claim)));
    }
    return ran;
  }

  static String name(Claim claim) {
    return claim.slice().isEmpty() ? claim.partition() : claim.partition() + " " + claim.slice();
  }

  /** What a sweep claims first. */
  List<Claim> claim(String pipeline) {
    service.plan(new PlanRequest(pipeline, Scope.ALL, now));
    return more(pipeline);
  }

  private List<Claim> more(String pipeline) {
    return claims
        .claim(new ClaimRequest(UUID.randomUUID().toString(), pipeline, Scope.ALL, now, 100, null))
        .claims();
  }

  void run(Claim claim) {
    worker.run(claim);
  }

  /** One column of the view. */
  String view(String pipeline, String partition, String column) throws SQLException {
    return ledger.query(
        "select %s from public.partition_state where pipeline = '%s' and partition = '%s'"
            .formatted(column, pipeline, partition));
  }

  @Override
  public void close() {
    ledger.close();
  }
}
