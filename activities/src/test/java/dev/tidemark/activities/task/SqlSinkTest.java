package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import dev.tidemark.workflows.ledger.PartitionOutcome.Kind;
import dev.tidemark.workflows.pipeline.TaskSpec;
import io.temporal.failure.ApplicationFailure;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Ledger and target database together: two transactions, in this order (A52). */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SqlSinkTest {
  private static final TaskSpec.Sql TASK =
      new TaskSpec.Sql(
          "insert into daily values (:partition, :token)",
          "ledger",
          new TaskSpec.Replace("daily", "day = :partition"),
          Duration.ofMinutes(10));

  @TempDir Path folder;
  private TestLedger ledger;
  private TestWorker worker;
  private RegisteredPipeline pipeline;
  private Claim claim;

  @BeforeEach
  void open() throws Exception {
    ledger = new TestLedger(folder);
    worker = new TestWorker(ledger, folder);
    ledger.database.execute("create table daily (day date, token bigint)");
    pipeline = ledger.register(TestPipeline.daily("sales").task(TASK));
    claim = ledger.claim(pipeline);
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  /** The task of an attempt whose process ends right after the target's commit. */
  private void writeAndDie(Begun begun) throws AttemptFailedException {
    Connections target = new Connections(Map.of("ledger", ledger.database.dataSource()));
    TaskExecution.run(new Tasks(folder, target, Map.of()), TASK, taskRun(begun));
  }

  private TaskRun taskRun(Begun begun) {
    return new TaskRun(
        new TaskRun.Subject(
            "sales",
            pipeline.definition().extent().partitions().zone(),
            begun.window(),
            begun.slice(),
            Map.of()),
        new TaskRun.Attempt(begun.token(), 1),
        () -> folder);
  }

  private String written() throws SQLException {
    return ledger.query("select string_agg(token::text, ',') from daily");
  }

  // A52, A53: committed there, not settled here; the retry redoes it and leaves one of it.
  @Test
  void anAttemptThatDiesBetweenCommitAndSettleIsRepeatedWithTheSameEffect() throws Exception {
    Begun killed = (Begun) ledger.attempts.begin(claim, 1, "killed");
    writeAndDie(killed);

    PartitionOutcome outcome = worker.attempt(claim, 2);

    assertThat(outcome.kind()).isEqualTo(Kind.COMMITTED);
    assertThat(written()).isEqualTo(ledger.query("select token from tidemark_commit"));
    assertThat(Long.parseLong(written())).isGreaterThan(killed.token());
    assertThat(ledger.state("rows")).isEqualTo("1");
  }

  // Invariant 2: a zombie that wakes after its successor has committed.
  @Test
  void aZombieIsRefusedInTheTargetAndReleased() throws Exception {
    Begun zombie = (Begun) ledger.attempts.begin(claim, 1, "zombie");
    worker.attempt(claim, 2);
    String successor = written();

    AttemptFailedException refused =
        catchThrowableOfType(AttemptFailedException.class, () -> writeAndDie(zombie));
    PartitionOutcome settled = worker.attempt(claim, 1);

    assertThat(refused.error()).contains("later than this attempt's " + zombie.token());
    assertThat(settled.kind()).isEqualTo(Kind.COMMITTED);
    assertThat(written()).isEqualTo(successor);
    assertThat(ledger.state("state")).isEqualTo("completed");
  }

  // A ledger made anew counts from the start: said, and not tried for ever.
  @Test
  void aTargetWithTokensThatThisLedgerNeverIssuedIsAnErrorThatNamesTheWayOut() throws Exception {
    worker.attempt(claim, 1);
    ledger.database.execute("update tidemark_commit set token = 1000000");
    ledger.lose();
    Claim again = ledger.claim(pipeline);

    ApplicationFailure failure =
        catchThrowableOfType(ApplicationFailure.class, () -> worker.attempt(again, 1));

    assertThat(failure.getOriginalMessage())
        .contains(
            "token 1000000", "tidemark_commit", "partition '2026-01-01'", "delete those rows");
    assertThat(ledger.query("select failures from tidemark.partition_ledger")).isEqualTo("1");
  }
}
