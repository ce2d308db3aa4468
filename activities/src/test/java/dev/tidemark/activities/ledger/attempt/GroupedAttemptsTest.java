package dev.tidemark.activities.ledger.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.ledger.Ledger;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.Pipelines;
import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.database.LedgerException;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.output.TakingIn;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome.Kind;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Begins and commits that fall together are written together, each decided by itself. */
@Timeout(120)
final class GroupedAttemptsTest {
  private static final String NOW = "2026-01-06T00:00:00Z"; // five days after 2026-01-01
  private static LedgerTestDatabase database;
  private static Ledger ledger;
  private static Gate gate;
  private static Attempts attempts;

  private final Crowd crowd = new Crowd();

  @BeforeAll
  static void open() {
    database = LedgerTestDatabase.create();
    ledger = new Ledger(database);
    gate = new Gate(database.dataSource());
    attempts = new Attempts(gate.dataSource());
  }

  @AfterAll
  static void close() {
    database.close();
  }

  // Invariants 1 and 2; c-B6, c-B13
  @Test
  void eachBeginOfAGroupIsDecidedByItself() throws Exception {
    List<Claim> claims = ledger.claim(ledger.ready(Pipelines.daily("begins"), NOW), NOW, 5);
    Claim ended = claims.get(1);
    ledger.commit(ended);
    Claim taken = claims.get(2);
    ledger.begin(taken, 3);
    Claim twice = claims.get(3);

    FutureTask<Begin> first;
    FutureTask<Begin> ofEnded;
    FutureTask<Begin> tooLate;
    FutureTask<Begin> one;
    FutureTask<Begin> two;
    FutureTask<Begin> plain;
    gate.close();
    first = crowd.start(() -> attempts.begin(claims.get(0), 1, "worker"));
    gate.awaitKnock();
    ofEnded = crowd.queue(() -> attempts.begin(ended, 2, "worker"));
    tooLate = crowd.queue(() -> attempts.begin(taken, 2, "worker"));
    one = crowd.queue(() -> attempts.begin(twice, 1, "worker"));
    two = crowd.queue(() -> attempts.begin(twice, 2, "worker"));
    plain = crowd.queue(() -> attempts.begin(claims.get(4), 1, "other"));
    gate.open();

    assertThat(first.get()).isInstanceOf(Begin.Begun.class);
    assertThat(kind(ofEnded.get())).isEqualTo(Kind.COMMITTED);
    assertThat(kind(tooLate.get())).isEqualTo(Kind.RELEASED);
    assertThat(token(two)).isGreaterThan(token(one));
    assertThat(attempts.holds(token(one))).isFalse();
    assertThat(attempts.holds(token(two))).isTrue();
    assertThat(((Begin.Begun) plain.get()).window().label()).isEqualTo(claims.get(4).partition());
    assertThat(
            ledger.query("select claimed_by from tidemark.attempt where token = " + token(plain)))
        .isEqualTo("other");
  }

  // Invariant 2; A45, A46, c-G6
  @Test
  void eachCommitOfAGroupIsDecidedByItself() throws Exception {
    RegisteredPipeline pipeline = ledger.ready(Pipelines.daily("commits"), NOW);
    List<Claim> claims = ledger.claim(pipeline, NOW, 5);
    long blocked = ledger.begin(claims.get(0)).token();
    long zombie = ledger.begin(claims.get(1), 1).token();
    long newest = ledger.begin(claims.get(1), 2).token();
    long refused = ledger.begin(claims.get(2)).token();
    long plain = ledger.begin(claims.get(3)).token();

    FutureTask<Settlement> first;
    FutureTask<Settlement> ofZombie;
    FutureTask<Settlement> ofRefused;
    FutureTask<Settlement> ofNewest;
    FutureTask<Settlement> ofPlain;
    FutureTask<Settlement> again;
    gate.close();
    first = crowd.start(() -> attempts.commit(blocked, Ledger.NOTHING, null));
    gate.awaitKnock();
    ofZombie = crowd.queue(() -> attempts.commit(zombie, made("zombie"), null));
    // PostgreSQL has no zero character: the whole group fails, and is written one by one.
    ofRefused = crowd.queue(() -> attempts.commit(refused, made("\0"), null));
    ofNewest = crowd.queue(() -> attempts.commit(newest, made("newest"), "printed"));
    ofPlain = crowd.queue(() -> attempts.commit(plain, Ledger.NOTHING, null));
    again = crowd.queue(() -> attempts.commit(plain, Ledger.NOTHING, null));
    gate.open();

    assertThat(kind(first.get())).isEqualTo(Kind.COMMITTED);
    assertThat(kind(ofZombie.get())).isEqualTo(Kind.RELEASED);
    assertThatThrownBy(ofRefused::get).hasCauseInstanceOf(LedgerException.class);
    assertThat(kind(ofNewest.get())).isEqualTo(Kind.COMMITTED);
    assertThat(kind(ofPlain.get())).isEqualTo(Kind.COMMITTED);
    assertThat(kind(again.get())).isEqualTo(Kind.COMMITTED);
    assertThat(ledger.row(pipeline, claims.get(1).partition()))
        .containsEntry("output", "newest")
        .containsEntry("rows", "7")
        .containsEntry("bytes", null)
        .containsEntry("committed_token", String.valueOf(newest));
    assertThat(ledger.query("select log from tidemark.attempt where token = " + newest))
        .isEqualTo("printed");
    assertThat(ledger.row(pipeline, claims.get(2).partition()))
        .containsEntry("state", "running")
        .containsEntry("committed_token", null);
  }

  // Invariant 10
  @Test
  void aLockedRowHoldsUpItsOwnRequestOnly() throws Exception {
    List<Claim> claims = ledger.claim(ledger.ready(Pipelines.daily("locked"), NOW), NOW, 2);

    FutureTask<Begin> locked;
    try (Connection held = holding(claims.get(0).row())) {
      locked = crowd.start(() -> attempts.begin(claims.get(0), 1, "worker"));
      awaitBlocked();
      FutureTask<Begin> other = crowd.start(() -> attempts.begin(claims.get(1), 1, "worker"));

      assertThat(other.get(30, TimeUnit.SECONDS)).isInstanceOf(Begin.Begun.class);
      assertThat(locked.isDone()).isFalse();
      held.rollback();
    }

    assertThat(locked.get()).isInstanceOf(Begin.Begun.class);
  }

  // Tokens grow for ever, also where two raise them at once.
  @Test
  void aRaiseSeesWhatAnotherRaiseHasSet() throws Exception {
    FutureTask<Boolean> raised;
    try (Connection other = database.dataSource().getConnection();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("select pg_advisory_xact_lock(hashtext('tidemark.token'))");
      raised =
          crowd.start(
              () -> {
                new TakingIn(database.dataSource()).raise(500_000);
                return true;
              });
      awaitBlocked();
      statement.execute("select setval('tidemark.token', 900000)");
      other.commit();
    }

    assertThat(raised.get()).isTrue();
    assertThat(ledger.query("select last_value >= 900000 from tidemark.token")).isEqualTo("t");
  }

  private static Committed made(String output) {
    return new Committed(output, "content", 7L, null);
  }

  private static Kind kind(Begin begin) {
    return ((Begin.Ended) begin).outcome().kind();
  }

  private static Kind kind(Settlement settlement) {
    return ((Settlement.Ended) settlement).outcome().kind();
  }

  private static long token(FutureTask<Begin> begun) throws Exception {
    return ((Begin.Begun) begun.get()).token();
  }

  /** Another transaction that holds the row: a write of it waits. */
  private static Connection holding(long row) throws SQLException {
    Connection connection = database.dataSource().getConnection();
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "select 1 from tidemark.partition_ledger where id = " + row + " for update");
    }
    return connection;
  }

  private static void awaitBlocked() {
    String blocked =
        """
        select count(*) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'
        """;
    while (ledger.query(blocked).equals("0")) {
      Thread.onSpinWait();
    }
  }
}
