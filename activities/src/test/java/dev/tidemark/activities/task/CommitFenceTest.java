package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What one attempt may do in a target database beside another (A52, A53). */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CommitFenceTest {
  private static final TaskSpec.Replace DAY =
      new TaskSpec.Replace("daily", "day = :partition -- and nothing else");
  private static final String INSERT = "insert into daily values (:partition, :token)";

  @TempDir Path folder;
  private final LedgerTestDatabase database = LedgerTestDatabase.create();
  private final DataSource shop = database.dataSource();

  @BeforeEach
  void makeShop() {
    database.execute(
        "create table daily (day date, token bigint); insert into daily values ('2026-09-04', 0)");
  }

  @AfterEach
  void close() {
    database.close();
  }

  private TaskRun run(long token) {
    return run(token, TaskRuns.DAY);
  }

  private TaskRun run(long token, Window window) {
    return new TaskRun(
        new TaskRun.Subject(
            "sales",
            ZoneId.of("Europe/Istanbul"),
            window,
            Slice.of(Map.of("unit", "kadıköy/1")),
            Map.of()),
        new TaskRun.Attempt(token, 1),
        () -> folder);
  }

  private @Nullable Long execute(TaskRun run) throws AttemptFailedException {
    return execute(shop, INSERT, run);
  }

  private @Nullable Long execute(DataSource target, String sql, TaskRun run)
      throws AttemptFailedException {
    Tasks tasks = new Tasks(folder, new Connections(Map.of("shop", target)), Map.of());
    return TaskExecution.run(tasks, new TaskSpec.Sql(sql, "shop", DAY, Duration.ofMinutes(10)), run)
        .rows();
  }

  private String query(String sql) throws SQLException {
    try (Connection connection = shop.getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      return rows.next() ? String.valueOf(rows.getString(1)) : "no row";
    }
  }

  /** The tokens that wrote the rows of the day. */
  private String written() throws SQLException {
    return query(
        "select string_agg(token::text, ',' order by token) from daily where day = '2026-09-05'");
  }

  @Test
  void recordsThePartitionAndTheTokenWithWhatItWrites() throws Exception {
    assertThat(execute(run(7))).isEqualTo(1);

    assertThat(query("select token from daily where day = '2026-09-04'")).isEqualTo("0");
    assertThat(
            query(
                "select concat_ws(' ', pipeline, slice, partition, token, written) from tidemark_commit"))
        .isEqualTo("sales unit=kad%C4%B1k%C3%B6y%2F1 2026-09-05 7 1");
  }

  // A52: a zombie's commit is refused in the target too, and nothing of it stays.
  @Test
  void refusesAnAttemptAfterALaterOneHasCommitted() throws Exception {
    execute(run(8));

    AttemptFailedException refused =
        catchThrowableOfType(AttemptFailedException.class, () -> execute(run(7)));

    assertThat(refused.kind()).isEqualTo(FailureKind.RELEASED);
    assertThat(refused.error()).contains("token 8", "this attempt's 7", "2026-09-05");
    assertThat(written()).isEqualTo("8");
  }

  // A50, A53: a later attempt of the same request does it again, and leaves the same.
  @Test
  void letsALaterAttemptReplaceWhatAnEarlierOneCommitted() throws Exception {
    execute(run(7));
    execute(run(8));

    assertThat(written()).isEqualTo("8");
    assertThat(query("select count(*) from tidemark_commit")).isEqualTo("1");
  }

  // A53: the commit went through, its answer was lost.
  @Test
  void doesNothingTwiceAfterALostAnswerToItsCommit() throws Exception {
    database.execute("create table runs (token bigint)");
    DataSource breaking = breaking(true);

    Long rows =
        execute(breaking, "insert into runs values (:token); " + INSERT, run(7, TaskRuns.DAY));

    assertThat(rows).isEqualTo(2);
    assertThat(written()).isEqualTo("7");
    assertThat(query("select count(*) from runs")).as("ran once").isEqualTo("1");
  }

  @Test
  void writesOnceWhereTheConnectionBrokeBeforeItsCommit() throws Exception {
    assertThat(execute(breaking(false), INSERT, run(7))).isEqualTo(1);

    assertThat(written()).isEqualTo("7");
  }

  /** The first commit fails as a broken connection does, once it went through or before. */
  private DataSource breaking(boolean after) {
    boolean[] broken = new boolean[1];
    return proxy(
        DataSource.class,
        shop,
        (call, result) ->
            result instanceof Connection connection
                ? proxy(
                    Connection.class,
                    connection,
                    (inner, outcome) -> {
                      if (inner.equals("commit") && !broken[0]) {
                        broken[0] = true;
                        throw new SQLException("the connection broke", "08006");
                      }
                      return outcome;
                    },
                    after ? "" : "commit")
                : result,
        "");
  }

  private interface After {
    @Nullable Object then(String method, @Nullable Object result) throws SQLException;
  }

  /** Calls through, except for a method that is broken once, and lets the result be changed. */
  private static <T> T proxy(Class<T> type, T target, After after, String brokenOnce) {
    boolean[] broken = new boolean[1];
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              boolean skipped = method.getName().equals(brokenOnce) && !broken[0];
              broken[0] |= skipped;
              try {
                Object result = skipped ? null : method.invoke(target, arguments);
                return after.then(method.getName(), result);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  // Two attempts at once: without the lock the second would not see, nor delete, the first's rows.
  @Test
  void makesTwoAttemptsOfAPartitionComeOneAfterTheOther() throws Exception {
    execute(run(1));
    CompletableFuture<@Nullable Long> second;
    CompletableFuture<@Nullable Long> first;
    try (Connection gate = shop.getConnection()) {
      gate.setAutoCommit(false);
      gate.createStatement().execute("select pg_advisory_xact_lock(1)");
      first = start("select pg_advisory_xact_lock(1); " + INSERT, 7);
      awaitWaiting(1);
      second = start(INSERT, 8);
      awaitWaiting(2);
      gate.commit();
    }

    assertThat(first.get()).isEqualTo(1);
    assertThat(second.get()).isEqualTo(1);
    assertThat(written()).isEqualTo("8");
  }

  private CompletableFuture<@Nullable Long> start(String sql, long token) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return execute(shop, sql, run(token));
          } catch (AttemptFailedException e) {
            throw new AssertionError(e);
          }
        });
  }

  private void awaitWaiting(int sessions) throws SQLException {
    String waiting =
        "select count(*) from pg_stat_activity"
            + " where wait_event_type = 'Lock' and datname = current_database()";
    while (!query(waiting).equals(Integer.toString(sessions))) {
      Thread.onSpinWait();
    }
  }

  // An attempt that waits for another can be ended.
  @Test
  void stopsWaitingWhenTheRunIsEnded() throws Exception {
    execute(run(1));
    TaskRun run = run(8);
    try (Connection other = shop.getConnection()) {
      other.setAutoCommit(false);
      other.createStatement().execute("select * from tidemark_commit for update");
      CompletableFuture<AttemptFailedException> failed =
          CompletableFuture.supplyAsync(
              () -> catchThrowableOfType(AttemptFailedException.class, () -> execute(run)));
      awaitWaiting(1);

      run.end(TaskRun.End.LOST);

      assertThat(failed.get().kind()).isEqualTo(FailureKind.RELEASED);
    }
  }

  // A process that is suspended in its transaction does not keep its successors waiting for ever.
  @Test
  void letsTheServerEndASessionThatIsSilentForLongerThanALease() throws Exception {
    try (Connection connection = shop.getConnection()) {
      connection.setAutoCommit(false);
      new CommitFence(run(7)).enter(connection);

      try (var statement = connection.createStatement();
          var row = statement.executeQuery("show idle_in_transaction_session_timeout")) {
        row.next();
        assertThat(row.getString(1)).isEqualTo("1min");
      }
      connection.rollback();
    }
    assertThat(query("show idle_in_transaction_session_timeout")).isEqualTo("0");
  }

  @Test
  void makesItsTableOnceHoweverManyNeedItFirst() throws Exception {
    List<CompletableFuture<@Nullable Long>> runs = new ArrayList<>();
    for (int day = 1; day <= 8; day++) {
      Window window = new Window("2026-10-0" + day, TaskRuns.DAY.start(), TaskRuns.DAY.end());
      long token = day;
      runs.add(
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return execute(run(token, window));
                } catch (AttemptFailedException e) {
                  throw new AssertionError(e);
                }
              }));
    }

    for (CompletableFuture<@Nullable Long> one : runs) {
      assertThat(one.get()).isEqualTo(1);
    }
    assertThat(query("select count(*) from tidemark_commit")).isEqualTo("8");
  }

  // A trial publishes nothing.
  @Test
  void rollsATrialBack() throws Exception {
    assertThat(execute(run(0))).isEqualTo(1);

    assertThat(written()).isEqualTo("null");
    assertThat(query("select to_regclass('tidemark_commit')")).isEqualTo("null");
  }

  // Without replace the statements are what they are: nothing is made in the target for them.
  @Test
  void leavesATaskWithoutReplaceAlone() throws Exception {
    Tasks tasks = new Tasks(folder, new Connections(Map.of("shop", shop)), Map.of());
    TaskSpec plain = new TaskSpec.Sql(INSERT, "shop", null, Duration.ofMinutes(10));

    TaskExecution.run(tasks, plain, run(7));

    assertThat(written()).isEqualTo("7");
    assertThat(query("select to_regclass('tidemark_commit')")).isEqualTo("null");
  }
}
