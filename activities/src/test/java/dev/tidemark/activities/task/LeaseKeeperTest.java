package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.workflows.ledger.Claim;
import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityCompletionFailureException;
import io.temporal.client.ActivityNotExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class LeaseKeeperTest {
  private static final Duration SOON = Duration.ofMillis(10);
  private static final LeaseKeeper.Rhythm FAST = new LeaseKeeper.Rhythm(SOON, SOON, Duration.ZERO);

  @TempDir Path folder;
  private TestLedger ledger;
  private LeaseKeeper keeper;
  private Claim claim;
  private TaskRun run;

  @BeforeEach
  void begin() throws Exception {
    ledger = new TestLedger(folder);
    keeper = new LeaseKeeper(ledger.attempts, FAST);
    claim = ledger.claim(ledger.register(TestPipeline.daily("sales")));
    Begun begun = (Begun) ledger.attempts.begin(claim, 1, "worker");
    run =
        new TaskRun(
            TaskRuns.in(folder).subject(), new TaskRun.Attempt(begun.token(), 1), () -> folder);
  }

  @AfterEach
  void close() {
    keeper.close();
    ledger.close();
  }

  private static void await(Callable<Boolean> condition) throws Exception {
    while (!condition.call()) {
      Thread.onSpinWait();
    }
  }

  private boolean isLeased() throws Exception {
    return ledger
        .query(
            "select lease_until > clock_timestamp() + interval '50 seconds'"
                + " from tidemark.partition_ledger")
        .equals("t");
  }

  @Test
  void renewsTheLeaseOfWhatRuns() throws Exception {
    ledger.database.execute(
        "update tidemark.partition_ledger set lease_until = clock_timestamp() + interval '1 s'");

    keeper.keep(run, () -> {});

    await(this::isLeased);
    assertThat(run.end()).isNull();
  }

  // c-B6, c-B13
  @Test
  void endsAnAttemptThatIsNoLongerTheNewest() throws Exception {
    keeper.keep(run, () -> {});

    ledger.attempts.begin(claim, 2, "another");

    await(run::isCancelled);
    assertThat(run.end()).isEqualTo(TaskRun.End.LOST);
  }

  @Test
  void endsWhatTemporalCancelledOrNoLongerKnows() throws Exception {
    keeper.keep(
        run,
        () -> {
          throw new ActivityCanceledException();
        });
    await(run::isCancelled);
    assertThat(run.end()).isEqualTo(TaskRun.End.CANCELLED);

    TaskRun timedOut = TaskRuns.in(folder);
    keeper.keep(
        timedOut,
        () -> {
          throw new ActivityNotExistsException("timed out", null);
        });
    await(timedOut::isCancelled);
    assertThat(timedOut.end()).isEqualTo(TaskRun.End.LOST);
  }

  @Test
  void endsATaskWhoseTimeIsOverAndNoOther() throws Exception {
    TaskRun inTime = new TaskRun(run.subject(), new TaskRun.Attempt(run.token(), 1), () -> folder);
    keeper.keep(inTime, () -> {});
    keeper.startClock(inTime, Duration.ofHours(1));
    keeper.keep(run, () -> {});
    keeper.startClock(run, Duration.ofMillis(1));

    await(run::isCancelled);

    assertThat(run.end()).isEqualTo(TaskRun.End.TIMED_OUT);
    assertThat(inTime.end()).isNull();
  }

  // Infrastructure: neither Temporal nor the ledger failing for a while ends anything.
  @Test
  void goesOnThroughAnOutage() throws Exception {
    AtomicInteger beats = new AtomicInteger();
    LeaseKeeper other = new LeaseKeeper(ledger.attempts, FAST);
    ledger.database.close();
    other.keep(
        run,
        () -> {
          beats.incrementAndGet();
          throw new ActivityCompletionFailureException(new IllegalStateException("unreachable"));
        });
    await(() -> beats.get() > 0);
    assertThat(run.end()).isNull();

    other.close();

    assertThat(run.end()).isEqualTo(TaskRun.End.SHUTDOWN);
  }

  @Test
  void leavesShortAttemptsAlone() throws Exception {
    AtomicInteger beats = new AtomicInteger();
    LeaseKeeper patient =
        new LeaseKeeper(ledger.attempts, new LeaseKeeper.Rhythm(SOON, SOON, Duration.ofMinutes(5)));
    TaskRun marker = TaskRuns.in(folder);
    patient.keep(run, beats::incrementAndGet);
    patient.keep(marker, () -> {});
    // Looked at, which the end of the second one proves, and not touched.
    patient.startClock(marker, Duration.ofMillis(1));

    await(marker::isCancelled);

    assertThat(beats).hasValue(0);
    assertThat(run.end()).isNull();
    patient.close();
  }
}
