package dev.tidemark.worker.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is closed, and in which order. */
@Timeout(20)
class ClosingTest {
  private final List<String> closed = new CopyOnWriteArrayList<>();
  private final Closing closing = new Closing();

  @Test
  void whatWasOpenedLastIsClosedFirstAndNothingKeepsTheRestOpen() {
    closing.add(() -> closed.add("ledger"));
    closing.add(
        () -> {
          throw new IllegalStateException("cannot be closed");
        });
    closing.add(() -> closed.add("worker"));

    closing.close();

    assertThat(closed).containsExactly("worker", "ledger");
  }

  // SIGTERM: a hook of the JVM closes, and so does the command that it ends
  @Test
  void whatIsUsedStaysOpenUntilItsUserIsClosedThoughTwoAreToldToClose() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch finishes = new CountDownLatch(1);
    closing.add(() -> closed.add("ledger"));
    closing.add(
        () -> {
          begun.countDown();
          finishes.await();
          closed.add("worker");
        });
    Thread command = new Thread(closing::close, "command");
    Thread hook = new Thread(closing::close, "hook");

    command.start();
    begun.await();
    hook.start();
    while (hook.isAlive() && hook.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(closed).isEmpty();
    finishes.countDown();
    command.join();
    hook.join();

    assertThat(closed).containsExactly("worker", "ledger");
  }

  // SIGTERM while a close hangs: only kill -9 would end the process
  @Test
  void whatNeverEndsToCloseDoesNotKeepTheProcessFromEnding() throws Exception {
    Closing impatient = new Closing(Duration.ofMillis(10));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    impatient.add(() -> closed.add("ledger"));
    impatient.add(
        () -> {
          begun.countDown();
          never.await();
        });
    Thread command = new Thread(impatient::close, "command");
    command.start();
    begun.await();

    impatient.closeWhenTold();

    assertThat(closed).isEmpty();
    never.countDown();
    command.join();
    assertThat(closed).containsExactly("ledger");
  }
}
