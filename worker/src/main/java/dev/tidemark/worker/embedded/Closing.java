package dev.tidemark.worker.embedded;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was opened, closed in reverse order: by {@link #close()}, or when the JVM is told to stop
 * (SIGTERM, SIGINT). Whatever cannot be closed does not keep the rest open.
 */
final class Closing implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Closing.class);

  /** More than a worker's grace, and what comes after it. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Deque<AutoCloseable> open = new ArrayDeque<>();

  /** Held by whoever closes. */
  private final ReentrantLock turn = new ReentrantLock();

  private final Thread hook = new Thread(this::closeWhenTold, "tidemark-close");
  private final Duration patience;
  private boolean closed;

  Closing() {
    this(PATIENCE);
  }

  /**
   * @param patience how long a JVM that is told to stop waits for who closes already
   */
  Closing(Duration patience) {
    this.patience = patience;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Takes charge of something just opened.
   *
   * @throws IllegalStateException if all is closed already; then it is closed at once
   */
  <T extends AutoCloseable> T add(T opened) {
    synchronized (this) {
      if (!closed) {
        open.push(opened);
        return opened;
      }
    }
    closeOne(opened);
    throw new IllegalStateException("closed while opening");
  }

  @Override
  public void close() {
    closeAll();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      log.trace("the JVM is stopping: its hook has nothing left to do", e);
    }
  }

  /**
   * One after the other, also where both are told to: what is used stays open until its user is
   * closed, and whoever comes second goes on when all is.
   */
  private void closeAll() {
    turn.lock();
    try {
      for (AutoCloseable next = next(); next != null; next = next()) {
        closeOne(next);
      }
    } finally {
      turn.unlock();
    }
  }

  /** Not for ever: what never ends to close must not keep the JVM from ending. */
  void closeWhenTold() {
    try {
      if (!turn.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        log.warn("ends with something open that could not be closed in {}", patience);
        return;
      }
      try {
        closeAll();
      } finally {
        turn.unlock();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized @Nullable AutoCloseable next() {
    closed = true;
    return open.poll();
  }

  private static void closeOne(AutoCloseable opened) {
    try {
      opened.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      log.warn("could not close {}", opened, e);
    }
  }
}
