package dev.tidemark.activities.ledger.attempt;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/** Threads that ask for something at once, in a known order. */
final class Crowd {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final List<Thread> threads = new ArrayList<>();

  /** Starts it, and returns when its thread waits for another one's write. */
  <T> FutureTask<T> queue(Callable<T> request) {
    FutureTask<T> asked = start(request);
    Thread thread = threads.get(threads.size() - 1);
    await(thread, Thread.State.WAITING);
    return asked;
  }

  /** Starts it. */
  <T> FutureTask<T> start(Callable<T> request) {
    FutureTask<T> asked = new FutureTask<>(request);
    Thread thread = new Thread(asked);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
    return asked;
  }

  private static void await(Thread thread, Thread.State state) {
    long began = System.nanoTime();
    while (thread.getState() != state) {
      if (System.nanoTime() - began > PATIENCE.toNanos()) {
        throw new AssertionError("a thread is " + thread.getState() + ", not " + state);
      }
      Thread.onSpinWait();
    }
  }
}
