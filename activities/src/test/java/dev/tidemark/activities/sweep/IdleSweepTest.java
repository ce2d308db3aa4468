package dev.tidemark.activities.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.Upstreams;
import dev.tidemark.activities.ledger.WakeFlags;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.attempt.Begin;
import dev.tidemark.activities.ledger.claim.Claims;
import dev.tidemark.activities.ledger.definition.Definitions;
import dev.tidemark.activities.ledger.definition.ExpectedSet;
import dev.tidemark.activities.ledger.output.OutputLedger;
import dev.tidemark.activities.planning.SliceSets;
import dev.tidemark.activities.publish.Verification;
import dev.tidemark.activities.store.LocalStore;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.ClaimRequest;
import dev.tidemark.workflows.ledger.PlanRequest;
import dev.tidemark.workflows.ledger.Scope;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a sweep costs that finds nothing due (invariant 9; c-D3): that no lane starts is elsewhere.
 */
class IdleSweepTest {
  /** Four reads, and the transaction: the sweep begins, and what is due is counted. */
  private static final int STATEMENTS = 6;

  @TempDir Path folder;
  private TestLedger ledger;
  private CountingDataSource counting;
  private LedgerService service;

  @BeforeEach
  void open() throws Exception {
    ledger = new TestLedger(folder);
    counting = new CountingDataSource(ledger.database.dataSource());
    DataSource source = counting.dataSource();
    Observations observations = new Observations(source);
    service =
        new LedgerService(
            new Definitions(source),
            new Preparation(
                new SliceSets(Connections.NONE),
                new ExpectedSet(source),
                new InputVersions(
                    Connections.NONE, folder, Map.of(), observations, new Upstreams(source)),
                observations,
                new LedgerReader(source)),
            new Claims(source),
            new Attempts(source),
            new Backfills(source),
            new Verification(
                OutputLedger.of(source),
                location -> new LocalStore(folder.resolve(location), Clock.systemUTC())),
            new WakeFlags(source));
    ledger.register(TestPipeline.daily("idle"));
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  @Test
  void costsTheSameHoweverManyPartitionsThereAreAndWritesNone() throws Exception {
    List<String> ofOneDay = idlePlan(TestLedger.NOW);
    List<String> ofAYear = idlePlan(TestLedger.NOW.plus(Duration.ofDays(365)));
    assertThat(ofAYear).isEqualTo(ofOneDay).hasSize(STATEMENTS);
    assertThat(ofAYear)
        .filteredOn(statement -> statement.contains("update ") || statement.contains("insert "))
        .as("that the sweep began is all it writes")
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("set last_sweep_at");
    assertThat(counting.transactions()).isEqualTo(1);
  }

  /** The statements of a plan when everything up to now is committed. */
  private List<String> idlePlan(Instant now) throws Exception {
    PlanRequest request = new PlanRequest("idle", Scope.ALL, now);
    service.plan(request);
    commitAll(now);
    String before = versions();
    counting.forget();
    assertThat(service.plan(request).planned()).isZero();
    assertThat(versions()).isEqualTo(before);
    return counting.statements();
  }

  private void commitAll(Instant now) {
    for (int i = 0; ; i++) {
      List<Claim> claims =
          service
              .claim(new ClaimRequest(now + "/" + i, "idle", Scope.ALL, now, 100, null))
              .claims();
      if (claims.isEmpty()) {
        return;
      }
      for (Claim claim : claims) {
        Begin.Begun begun = (Begin.Begun) ledger.attempts.begin(claim, 1, "worker");
        ledger.attempts.commit(begun.token(), new Committed(null, null, null, null), null);
      }
    }
  }

  /** Changes if any row of the ledger is written. */
  private String versions() throws Exception {
    return ledger.query(
        "select count(*) || ' ' || sum(xmin::text::bigint) from tidemark.partition_ledger");
  }
}
