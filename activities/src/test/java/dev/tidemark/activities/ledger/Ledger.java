package dev.tidemark.activities.ledger;

import dev.tidemark.activities.ledger.Observations.Seen;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.attempt.Begin;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Row;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.planning.ExpectedSlice;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ledger's operations, in the few words that the tests need. */
public final class Ledger {
  public static final Committed NOTHING = new Committed(null, null, null, null);

  final LedgerTestDatabase database;
  public final Database jdbc;
  public final Definitions definitions;
  final ExpectedSet expected;
  public final Observations observations;
  public final Claims claims;
  public final Attempts attempts;

  public Ledger(LedgerTestDatabase database) {
    this.database = database;
    this.jdbc = new Database(database.dataSource());
    this.definitions = new Definitions(database.dataSource());
    this.expected = new ExpectedSet(database.dataSource());
    this.observations = new Observations(database.dataSource());
    this.claims = new Claims(database.dataSource());
    this.attempts = new Attempts(database.dataSource());
  }

  public RegisteredPipeline register(Pipelines pipeline) {
    return definitions.register(pipeline.build(), "test").pipeline();
  }

  /** Registers it and makes rows up to what is closed at {@code now}. */
  public RegisteredPipeline ready(Pipelines pipeline, String now) {
    RegisteredPipeline registered = register(pipeline);
    bringUpTo(registered, now);
    return registered;
  }

  public int bringUpTo(RegisteredPipeline pipeline, String now) {
    PipelineDefinition definition = pipeline.definition();
    Window closed = definition.extent().closedThrough(Instant.parse(now)).orElseThrow();
    return expected.bringUpTo(pipeline, slices(definition), closed);
  }

  private static List<ExpectedSlice> slices(PipelineDefinition definition) {
    Window first = definition.extent().partitions().first();
    if (definition.extent().slices().isEmpty()) {
      return List.of(new ExpectedSlice(Slice.EMPTY, first));
    }
    return Slices.expand(definition);
  }

  public int beginSweep(RegisteredPipeline pipeline) {
    return claims.beginSweep(pipeline, Scope.ALL, null, 1_000);
  }

  public List<Claim> claim(RegisteredPipeline pipeline, String now, int want) {
    return claim(pipeline, Scope.ALL, now, want);
  }

  public List<Claim> claim(
      RegisteredPipeline pipeline, Scope scope, @Nullable String now, int want) {
    return claims
        .claim(
            new ClaimRequest(
                UUID.randomUUID().toString(),
                pipeline.name(),
                scope,
                now == null ? null : Instant.parse(now),
                want,
                null))
        .claims();
  }

  public Begin.Begun begin(Claim claim) {
    return begin(claim, 1);
  }

  public Begin.Begun begin(Claim claim, int attempt) {
    return (Begin.Begun) attempts.begin(claim, attempt, "worker");
  }

  public void commit(Claim claim) {
    attempts.commit(begin(claim).token(), NOTHING, null);
  }

  /** Claims and commits everything that is due at {@code now}; returns the labels, in order. */
  public List<String> run(RegisteredPipeline pipeline, String now) {
    List<String> labels = new java.util.ArrayList<>();
    for (List<Claim> got = claim(pipeline, now, 100);
        !got.isEmpty();
        got = claim(pipeline, now, 100)) {
      got.forEach(this::commit);
      labels.addAll(labels(got));
    }
    return labels;
  }

  /** Claims and commits as one sweep does, a few partitions at a time. */
  public List<String> sweep(RegisteredPipeline pipeline, String sweep, String now) {
    List<String> labels = new java.util.ArrayList<>();
    for (List<Claim> got = List.of(); labels.isEmpty() || !got.isEmpty(); ) {
      got =
          claims
              .claim(
                  new ClaimRequest(
                      UUID.randomUUID().toString(),
                      pipeline.name(),
                      Scope.ALL,
                      Instant.parse(now),
                      2,
                      sweep))
              .claims();
      got.forEach(this::commit);
      labels.addAll(labels(got));
    }
    return labels;
  }

  public static List<String> labels(List<Claim> claims) {
    return claims.stream().map(Claim::partition).toList();
  }

  public void observe(RegisteredPipeline pipeline, String partition, @Nullable String version) {
    observations.record(
        pipeline, observations.now(), Stream.of(new Seen(Slice.EMPTY, partition, version, true)));
  }

  /** What a backfill of these partitions writes: an item each, and the generation it wants. */
  public void request(RegisteredPipeline pipeline, String id, boolean again, String... partitions) {
    jdbc.transaction(
        connection ->
            REQUEST
                .on(connection)
                .set("pipeline", pipeline.id())
                .set("id", id)
                .set("again", again)
                .set("partitions", Arrays.asList(partitions))
                .list(row -> true));
  }

  private static final Sql REQUEST =
      Sql.of(
          """
          insert into tidemark.backfill
                 (backfill_id, pipeline_id, request_id, first, last, mode, state)
          values (:id, :pipeline, :id, '', '', 'all', 'requested');

          with asked as (
            update tidemark.partition_ledger l
               set requested_gen = greatest(l.requested_gen,
                     case when l.running_gen is null then greatest(l.requested_gen, l.done_gen + 1)
                          when :again then l.running_gen + 1
                          else l.running_gen end)
             where l.pipeline_id = :pipeline and l.partition = any(:partitions::text[])
            returning l.id, case when l.running_gen is null then l.requested_gen
                                 when :again then l.running_gen + 1
                                 else l.running_gen end as wanted)
          insert into tidemark.backfill_item (backfill_id, row_id, wanted_gen)
          select :id, id, wanted from asked
          """);

  public Map<String, @Nullable String> row(RegisteredPipeline pipeline, String partition) {
    return jdbc.roundTrip(
        connection ->
            Sql.of(
                    """
                    select l.*, l.parked_at is not null as parked, l.claim_id is not null as live
                      from tidemark.partition_ledger l
                     where l.pipeline_id = :pipeline and l.partition = :partition
                    """)
                .on(connection)
                .set("pipeline", pipeline.id())
                .set("partition", partition)
                .list(Ledger::columns)
                .get(0));
  }

  private static Map<String, @Nullable String> columns(Row row) throws java.sql.SQLException {
    Map<String, @Nullable String> columns = new java.util.HashMap<>();
    var meta = row.result().getMetaData();
    for (int i = 1; i <= meta.getColumnCount(); i++) {
      columns.put(meta.getColumnName(i), row.result().getString(i));
    }
    return columns;
  }

  /** The first column of the first row, as text; null as {@code null}. */
  public String query(String sql) {
    return jdbc.roundTrip(
        connection -> {
          try (var statement = connection.createStatement();
              var result = statement.executeQuery(sql)) {
            return result.next() ? String.valueOf(result.getString(1)) : "no row";
          }
        });
  }

  /** As if this much time had passed for the leases and the pauses of a pipeline. */
  public void pass(RegisteredPipeline pipeline, String interval) {
    database.execute(
        "update tidemark.partition_ledger set lease_until = lease_until - interval '"
            + interval
            + "', next_attempt_at = next_attempt_at - interval '"
            + interval
            + "' where pipeline_id = "
            + pipeline.id());
  }
}
