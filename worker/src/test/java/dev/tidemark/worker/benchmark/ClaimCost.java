package dev.tidemark.worker.benchmark;

import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.pipeline.Limits;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.IntSupplier;
import javax.sql.DataSource;

/**
 * A claim of a hundred due rows in ledgers of several sizes, beside the shortest SQL that takes as
 * many rows of the same table and writes the same columns; in turn. The rows are given back
 * between.
 */
final class ClaimCost {
  private static final int CLAIMED = 100;
  private static final int DUE = 1_000;
  private static final int BATCH = 100_000;
  private static final int WARM_UP = 200;
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final Database database;
  private final Claims claims;
  private final RegisteredPipeline pipeline;
  private int rows;

  private ClaimCost(DataSource ledger, RegisteredPipeline pipeline) {
    this.database = new Database(ledger);
    this.claims = new Claims(ledger);
    this.pipeline = pipeline;
  }

  static void run(DataSource ledger, BenchmarkOptions options) {
    Pipeline declared =
        Pipeline.named("many-rows")
            .quarterHourly(ZoneOffset.UTC)
            .from("1700-01-01T00:00")
            .lookback(3)
            .limits(new Limits(DUE, Duration.ofMinutes(10), 2 * CLAIMED, null, null, 50))
            .task(context -> {})
            .build();
    ClaimCost cost =
        new ClaimCost(
            ledger,
            new Definitions(ledger).register(declared.definition(), "benchmark").pipeline());
    List<Double> medians = new ArrayList<>();
    for (int size : options.rows()) {
      cost.fill(size);
      medians.add(cost.compare(options.samples()));
    }
    double least = medians.stream().min(Double::compare).orElseThrow();
    double most = medians.stream().max(Double::compare).orElseThrow();
    Figures.figure("claim, slowest size : fastest size (at most 1.5)", "%.2f", most / least);
  }

  /** Returns the median of the product's claims, in milliseconds. */
  private double compare(int samples) {
    List<Double> product = new ArrayList<>();
    List<Double> raw = new ArrayList<>();
    for (int i = -WARM_UP; i < samples; i++) {
      double ofProduct = timed(this::claim);
      double ofRaw = timed(this::rawClaim);
      if (i >= 0) {
        product.add(ofProduct);
        raw.add(ofRaw);
      }
    }
    double claim = Figures.median(product);
    double rawClaim = Figures.median(raw);
    Figures.figure(
        "claim of %d of %,d rows".formatted(CLAIMED, rows),
        "%.2f ms, raw SQL %.2f ms, ratio %.2f (at most 2)",
        claim,
        rawClaim,
        claim / rawClaim);
    return claim;
  }

  private double timed(IntSupplier claim) {
    long began = System.nanoTime();
    int claimed = claim.getAsInt();
    double milliseconds = (System.nanoTime() - began) / 1e6;
    if (claimed != CLAIMED) {
      throw new IllegalStateException("claimed " + claimed);
    }
    claims.releaseAll();
    return milliseconds;
  }

  private int claim() {
    ClaimRequest request =
        new ClaimRequest(
            UUID.randomUUID().toString(), pipeline.name(), Scope.ALL, NOW, CLAIMED, null);
    return claims.claim(request).claims().size();
  }

  private static final Sql RAW_CLAIM =
      Sql.of(
          """
          update tidemark.partition_ledger
             set claim_id = :request, claim_class = 'live', claim_reason = 'missing',
                 claim_now = :now, claim_closed = :now, claim_lag = 0, claim_attempt = null,
                 failures = 0, claimed_by = null,
                 lease_until = clock_timestamp() + interval '90 seconds'
           where id in (
                   select id from tidemark.partition_ledger
                    where pipeline_id = :pipeline and open and not asked
                      and committed_token is null
                    order by window_start desc, slice desc
                    limit :want
                      for update skip locked)
          returning id, partition, slice
          """);

  private int rawClaim() {
    return database.roundTrip(
        connection ->
            RAW_CLAIM
                .on(connection)
                .set("request", UUID.randomUUID().toString())
                .set("now", NOW)
                .set("pipeline", pipeline.id())
                .set("want", CLAIMED)
                .list(row -> row.number("id") + row.text("partition") + row.text("slice"))
                .size());
  }

  /** The newest rows are due; the older ones were committed long ago. */
  private void fill(int size) {
    Figures.note("filling the ledger up to %,d rows".formatted(size));
    for (; rows < size; rows = Math.min(size, rows + BATCH)) {
      int to = Math.min(size, rows + BATCH);
      database.transaction(connection -> fill(connection, rows + 1, to));
    }
    database.roundTrip(
        connection -> execute(connection, "vacuum analyze tidemark.partition_ledger"));
    database.roundTrip(connection -> execute(connection, "checkpoint"));
  }

  private static final Sql FILL =
      Sql.of(
          """
          insert into tidemark.partition_ledger
                 (pipeline_id, slice, partition, window_start, window_end, committed_token,
                  processed_version, input_version, closed_lag, definition)
          select :pipeline, '', to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI'), t,
                 t + interval '15 minutes',
                 case when n > :due then n end, case when n > :due then '' end,
                 case when n > :due then '' end, case when n > :due then 4 end,
                 case when n > :due then :fingerprint end
            from (select n, :now::timestamptz - n * interval '15 minutes' as t
                    from generate_series(:from, :to) n) w
          """);

  private int fill(Connection connection, int from, int to) throws SQLException {
    // Without the checks of foreign keys, which take most of the time: needs a superuser.
    execute(connection, "set local session_replication_role = replica");
    return FILL.on(connection)
        .set("pipeline", pipeline.id())
        .set("from", from)
        .set("to", to)
        .set("due", DUE)
        .set("now", NOW)
        .set("fingerprint", pipeline.fingerprint())
        .update();
  }

  private static boolean execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.execute(sql);
    }
  }
}
