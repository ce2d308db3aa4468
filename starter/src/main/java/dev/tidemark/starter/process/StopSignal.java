package dev.tidemark.starter.process;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * SIGTERM and SIGINT as a wish to stop: whoever waits here goes on, cleans up and closes this, and
 * the process ends with 0. An interrupt of the waiting thread is the same wish.
 */
public final class StopSignal implements AutoCloseable {
  /** Longer than a worker's own grace, so that it is the worker that decides. */
  private static final Duration MAX_CLEAN_UP = Duration.ofSeconds(90);

  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook = new Thread(this::stop, "stop");

  private StopSignal() {}

  /** Listens from now on. */
  public static StopSignal listen() {
    StopSignal signal = new StopSignal();
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  /** Returns when a stop is asked for. */
  public void await() {
    try {
      asked.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void stop() {
    asked.countDown();
    try {
      if (done.await(MAX_CLEAN_UP.toMillis(), TimeUnit.MILLISECONDS)) {
        // A clean stop is a success; without this the exit code would be the signal's.
        Runtime.getRuntime().halt(0);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Everything is cleaned up, or nothing was begun. */
  @Override
  public void close() {
    if (asked.getCount() > 0 && !isEnding()) {
      return;
    }
    done.countDown();
  }

  /** Takes the hook away, unless the process is ending just now. */
  private boolean isEnding() {
    try {
      return !Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return true;
    }
  }
}
