package dev.tidemark.activities.ledger.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tidemark.activities.ledger.Interventions;
import dev.tidemark.activities.ledger.Ledger;
import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Pipelines;
import dev.tidemark.activities.ledger.Slices;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.Scope;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.Accounts;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** An account whose destination refuses it (c-J9): a key that may only read, a missing bucket. */
final class BreakersTest {
  private static final String NOW = "2026-01-21T00:00:00Z";
  private static final String DENIED = "cannot publish: 403 AccessDenied";
  private static final Accounts RULE =
      new Accounts(Map.of(), new Accounts.Breaker(3, Duration.ofHours(1)));

  private static LedgerTestDatabase database;
  private static Ledger ledger;
  private final ListAppender<ILoggingEvent> alerts = new ListAppender<>();

  @BeforeAll
  static void open() {
    database = LedgerTestDatabase.create();
    ledger = new Ledger(database);
  }

  @AfterAll
  static void close() {
    database.close();
  }

  @BeforeEach
  void listen() {
    alerts.start();
    logger().addAppender(alerts);
  }

  @AfterEach
  void stopListening() {
    logger().detachAppender(alerts);
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(Breakers.class);
  }

  private static RegisteredPipeline pipeline(String name) {
    return ledger.ready(
        Pipelines.daily(name)
            .accounts(RULE)
            .slices("customer", Slices.of("customer", "acme", "zen")),
        NOW);
  }

  private static void refuse(Claim claim) {
    ledger.attempts.fail(ledger.begin(claim).token(), FailureKind.NO_DESTINATION, DENIED, null);
  }

  private static List<Claim> ofAcme(List<Claim> claims) {
    return claims.stream().filter(claim -> claim.slice().equals("customer=acme")).toList();
  }

  /** What a claim takes of acme; what it takes of the other is given back. */
  private static List<Claim> claimOfAcme(RegisteredPipeline pipeline, int want) {
    List<Claim> claims = ledger.claim(pipeline, NOW, want);
    claims.stream()
        .filter(claim -> !claim.slice().equals("customer=acme"))
        .forEach(
            claim ->
                ledger.attempts.fail(
                    ledger.begin(claim).token(), FailureKind.RELEASED, "not looked at", null));
    return ofAcme(claims);
  }

  private static void openBreaker(RegisteredPipeline pipeline) {
    List<Claim> acme = claimOfAcme(pipeline, 10);
    assertThat(acme).hasSize(5);
    acme.forEach(BreakersTest::refuse);
  }

  private static void pausePasses(RegisteredPipeline pipeline) {
    database.execute(
        "update tidemark.breaker set until = clock_timestamp() where pipeline_id = "
            + pipeline.id());
  }

  private static String closed(RegisteredPipeline pipeline) {
    return ledger.query(
        "select closed_at is not null from tidemark.breaker where pipeline_id = " + pipeline.id());
  }

  // c-J9
  @Test
  void afterSomeRefusalsInARowTheAccountIsLeftAloneWithOneAlert() {
    RegisteredPipeline pipeline = pipeline("alone");
    openBreaker(pipeline);

    assertThat(claimOfAcme(pipeline, 20)).isEmpty();
    List<OpenBreaker> breakers = new LedgerReader(database.dataSource()).breakers(pipeline);
    assertThat(breakers).extracting(OpenBreaker::account).containsExactly("acme");
    assertThat(breakers.get(0).refusals()).isEqualTo(5);
    assertThat(breakers.get(0).lastError()).isEqualTo(DENIED);
    assertThat(alerts.list).hasSize(1);
    assertThat(alerts.list.get(0).getLevel()).isEqualTo(Level.WARN);
    assertThat(alerts.list.get(0).getFormattedMessage())
        .contains("alone: account acme", "3 time(s)", "tidemark retry alone", DENIED);
    // Nothing is spent, and what cannot be claimed is not counted as claimable.
    assertThat(ledger.query("select max(failed_claims) from tidemark.partition_ledger"))
        .isEqualTo("0");
    assertThat(ledger.claims.outlook(pipeline, Scope.ALL, Instant.parse(NOW)).claimable())
        .isEqualTo(20);
  }

  // c-J9
  @Test
  void afterThePauseOnePartitionIsTriedAndItsCommitOpensTheWay() {
    RegisteredPipeline pipeline = pipeline("probe");
    openBreaker(pipeline);
    pausePasses(pipeline);

    List<Claim> probe = claimOfAcme(pipeline, 20);
    assertThat(probe).hasSize(1);
    assertThat(claimOfAcme(pipeline, 20)).isEmpty();
    refuse(probe.get(0));
    assertThat(claimOfAcme(pipeline, 20)).isEmpty();

    pausePasses(pipeline);
    ledger.commit(claimOfAcme(pipeline, 20).get(0));
    assertThat(claimOfAcme(pipeline, 20)).hasSizeGreaterThan(5);
    assertThat(new LedgerReader(database.dataSource()).breakers(pipeline)).isEmpty();
    assertThat(closed(pipeline)).isEqualTo("t");
    assertThat(alerts.list).hasSize(1);
  }

  // c-J9
  @Test
  void aRetryByAPersonTriesOnePartitionAtOnce() {
    RegisteredPipeline pipeline = pipeline("retried");
    openBreaker(pipeline);

    Interventions interventions = new Interventions(database.dataSource());
    interventions.retry(pipeline, List.of(), Slice.of(Map.of("customer", "zen")));
    assertThat(claimOfAcme(pipeline, 20)).isEmpty();
    interventions.retry(pipeline, List.of(), Slice.of(Map.of("customer", "acme")));
    assertThat(claimOfAcme(pipeline, 20)).hasSize(1);
  }

  // c-J9: nobody waits for it any more, so that nobody is told of it and nothing is kept for it
  @Test
  void theBreakerOfAnAccountThatHasLeftIsClosed() {
    RegisteredPipeline pipeline = pipeline("left");
    openBreaker(pipeline);
    LedgerReader reader = new LedgerReader(database.dataSource());
    assertThat(reader.breakers(pipeline)).hasSize(1);

    database.execute(
        "update tidemark.partition_ledger set expected = false where account = 'acme'"
            + " and pipeline_id = "
            + pipeline.id());
    assertThat(reader.breakers(pipeline)).isEmpty();
    ledger.claim(pipeline, NOW, 1);
    assertThat(closed(pipeline)).isEqualTo("t");

    // It comes back: its destination is tried anew.
    database.execute(
        "update tidemark.partition_ledger set expected = true where pipeline_id = "
            + pipeline.id());
    assertThat(reader.breakers(pipeline)).isEmpty();
    assertThat(claimOfAcme(pipeline, 20)).hasSizeGreaterThan(3);
  }

  // c-J9: what cannot be claimed is not counted as claimable, whatever the pipeline is like
  @Test
  void ofAStatefulPipelineWhatIsLeftAloneIsNotClaimableEither() {
    RegisteredPipeline pipeline =
        ledger.ready(
            Pipelines.daily("chained")
                .accounts(new Accounts(Map.of(), new Accounts.Breaker(1, Duration.ofHours(1))))
                .stateful(Period.ofDays(60))
                .slices("customer", Slices.of("customer", "acme", "zen")),
            NOW);
    List<Claim> heads = ledger.claim(pipeline, NOW, 10);
    assertThat(heads).hasSize(2);
    refuse(ofAcme(heads).get(0));
    heads.stream().filter(claim -> claim.slice().equals("customer=zen")).forEach(ledger::commit);

    assertThat(ledger.claims.outlook(pipeline, Scope.ALL, Instant.parse(NOW)).claimable())
        .isEqualTo(19);
    assertThat(ledger.claim(pipeline, NOW, 10))
        .extracting(Claim::slice)
        .containsExactly("customer=zen");
  }

  // c-J9
  @Test
  void aCommitBetweenRefusalsBeginsTheCountAnew() {
    RegisteredPipeline pipeline = pipeline("mixed");
    List<Claim> acme = claimOfAcme(pipeline, 10);
    refuse(acme.get(0));
    refuse(acme.get(1));
    ledger.commit(acme.get(2));
    refuse(acme.get(3));
    refuse(acme.get(4));

    assertThat(new LedgerReader(database.dataSource()).breakers(pipeline)).isEmpty();
    assertThat(alerts.list).isEmpty();
  }
}
