package dev.tidemark.activities.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tidemark.activities.TestLedger;
import dev.tidemark.activities.TestPipeline;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.store.LocalStore;
import dev.tidemark.workflows.pipeline.OutputSpec;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PublisherTest {
  private static final OutputSpec HIVE = new OutputSpec.Hive("out");

  @TempDir Path folder;
  private TestLedger ledger;

  @BeforeEach
  void open() {
    ledger = new TestLedger(folder);
  }

  @AfterEach
  void close() {
    ledger.close();
  }

  // A-g1: of all attempts that begin at once, one cleans, and no other is in its way.
  @Test
  void cleansAnAreaOnceHoweverManyBeginAtOnce() throws Exception {
    int parallel = 8;
    CyclicBarrier together = new CyclicBarrier(parallel);
    AtomicInteger cleanups = new AtomicInteger();
    Clock counting = new CallingClock(cleanups::incrementAndGet);
    Clock waiting = new CallingClock(() -> await(together));
    Publisher publisher =
        new Publisher(
            ledger.attempts,
            location -> new LocalStore(folder.resolve("out"), counting),
            waiting,
            "test");
    Begun begun =
        (Begun)
            ledger.attempts.begin(
                ledger.claim(ledger.register(TestPipeline.daily("sales").output(HIVE))), 1, "test");
    ExecutorService threads = Executors.newFixedThreadPool(parallel);
    try {
      Callable<Boolean> opening =
          () -> {
            publisher.open(begun, HIVE).close();
            return true;
          };
      for (Future<Boolean> opened : threads.invokeAll(Collections.nCopies(parallel, opening))) {
        assertThat(opened.get()).isTrue();
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(cleanups).hasValue(1);
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new AssertionError(e);
    }
  }

  /** Does something whenever it is asked. */
  private static final class CallingClock extends Clock {
    private final Runnable asked;

    CallingClock(Runnable asked) {
      this.asked = asked;
    }

    @Override
    public Instant instant() {
      asked.run();
      return TestLedger.NOW;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
