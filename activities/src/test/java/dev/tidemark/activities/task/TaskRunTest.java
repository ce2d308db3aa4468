package dev.tidemark.activities.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class TaskRunTest {
  @TempDir Path folder;

  // A connection that goes back to its pool must not be aimed at any more.
  @Test
  void whoeverTakesItsEndingAwayWaitsForOneThatRuns() throws Exception {
    TaskRun run = TaskRuns.in(folder);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch finish = new CountDownLatch(1);
    AtomicBoolean finished = new AtomicBoolean();
    run.onEnd(
        () -> {
          entered.countDown();
          try {
            finish.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          finished.set(true);
        });
    Thread ending = new Thread(() -> run.end(TaskRun.End.CANCELLED));
    ending.start();
    entered.await();
    CompletableFuture<Boolean> finishedBefore = new CompletableFuture<>();
    Thread task =
        new Thread(
            () -> {
              run.onEnd(null);
              finishedBefore.complete(finished.get());
            });
    task.start();
    while (task.isAlive() && task.getState() != Thread.State.BLOCKED) {
      Thread.onSpinWait();
    }

    finish.countDown();

    assertThat(finishedBefore.get()).isTrue();
    ending.join();
    task.join();
  }
}
