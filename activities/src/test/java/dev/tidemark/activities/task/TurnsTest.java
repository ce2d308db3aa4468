package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.ledger.LedgerTestDatabase;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.publish.Contents;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What many tasks of one process share. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class TurnsTest {
  @TempDir Path folder;
  private final LedgerTestDatabase database = LedgerTestDatabase.create();
  private final CountDownLatch end = new CountDownLatch(1);
  private final List<CompletableFuture<Void>> holders = new ArrayList<>();

  @AfterEach
  void close() {
    end.countDown();
    holders.forEach(CompletableFuture::join);
    database.close();
  }

  private Tasks tasks() {
    return new Tasks(
        folder,
        new Connections(Map.of("shop", database.dataSource(), "other", database.dataSource())),
        Map.of());
  }

  private static TaskSpec sql(String connection) {
    return new TaskSpec.Sql("select 1", connection, null, Duration.ofMinutes(1));
  }

  /** Takes every turn of a connection, until the end. */
  private void takeAll(Tasks tasks, String connection) throws InterruptedException {
    CountDownLatch held = new CountDownLatch(Connections.TASKS_AT_ONCE);
    for (int i = 0; i < Connections.TASKS_AT_ONCE; i++) {
      holders.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  tasks
                      .turns()
                      .take(
                          sql(connection),
                          () -> {
                            held.countDown();
                            end.await();
                            return Contents.of(null);
                          });
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              },
              task -> new Thread(task, "holder").start()));
    }
    held.await();
  }

  private CompletableFuture<Object> start(
      Tasks tasks, String connection, TaskRun run, Runnable started) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return TaskExecution.run(tasks, sql(connection), run, started);
          } catch (AttemptFailedException e) {
            return e.kind();
          }
        },
        task -> new Thread(task, "waiter").start());
  }

  private static void awaitAWaiter() {
    while (Thread.getAllStackTraces().keySet().stream()
        .noneMatch(
            thread ->
                thread.getName().equals("waiter")
                    && thread.getState() == Thread.State.TIMED_WAITING)) {
      Thread.onSpinWait();
    }
  }

  // Some connections of a pool are left to whoever needs one for a moment
  @Test
  void aTaskBeyondTheTurnsOfItsDatabaseWaitsAndItsTimeDoesNotRun() throws Exception {
    Tasks tasks = tasks();
    takeAll(tasks, "shop");
    CountDownLatch started = new CountDownLatch(1);
    CompletableFuture<Object> waiting =
        start(tasks, "shop", TaskRuns.in(folder), started::countDown);
    awaitAWaiter();

    assertThat(start(tasks, "other", TaskRuns.in(folder), () -> {}).get())
        .isInstanceOf(Contents.class);
    assertThat(started.getCount()).isEqualTo(1);
    assertThat(waiting).isNotDone();

    end.countDown();
    assertThat(waiting.get()).isInstanceOf(Contents.class);
    assertThat(started.getCount()).isZero();
  }

  @Test
  void aTaskThatWaitsForItsTurnCanBeCancelled() throws Exception {
    Tasks tasks = tasks();
    takeAll(tasks, "shop");
    TaskRun run = TaskRuns.in(folder);
    CompletableFuture<Object> waiting = start(tasks, "shop", run, () -> {});
    awaitAWaiter();

    run.end(TaskRun.End.CANCELLED);

    assertThat(waiting.get()).isEqualTo(FailureKind.RELEASED);
  }
}
