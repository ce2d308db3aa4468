package dev.tidemark.activities.ledger.attempt;

import dev.tidemark.activities.connection.Outage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Group commit: what the threads of a process write in the same moment goes to the database in one
 * transaction. One of them writes for all that wait; who comes meanwhile forms the next group. A
 * lone write waits for nobody. Where more come, groups keep a distance, so that each is worth its
 * round trip: what a group costs the database depends little on how many are in it.
 *
 * <p>Each request of a group gets an answer or a failure of its own. A group waits for no row:
 * where one of its rows is locked, or the database refuses the group, each of its threads writes
 * its own request by itself, outside the queue, and waits as long as its own row takes. Only where
 * the database cannot be reached, or does not answer in time, do they all fail together; each of
 * them would wait as long again.
 */
final class GroupedWrites<Q, A> {
  private static final int MOST = 64;

  /** A group of so many is followed by another at a distance, not at once. */
  private static final int COMPANY = 2;

  /** From the start of one group to the start of the next; little beside what any task takes. */
  private static final Duration DISTANCE = Duration.ofMillis(30);

  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String QUERY_CANCELED = "57014";

  /** How long a statement may wait for each lock, as PostgreSQL's {@code lock_timeout}. */
  enum Patience {
    /** For others queue behind it. */
    GROUP("100ms"),
    /** As long as the statement may take. */
    ALONE("0");

    private final String lockTimeout;

    Patience(String lockTimeout) {
      this.lockTimeout = lockTimeout;
    }

    String lockTimeout() {
      return lockTimeout;
    }
  }

  /** Writes requests. */
  @FunctionalInterface
  interface Write<Q, A> {
    /** One transaction, all of it or nothing; answers in the order of the requests. */
    List<A> write(List<Q> requests, Patience patience);
  }

  private final Function<Q, Long> subject;
  private final Write<Q, A> write;

  /** Also the lock of what follows. */
  private final Deque<Waiting<Q, A>> queue = new ArrayDeque<>();

  private final long distance;
  private boolean writing;
  private boolean keepsDistance;
  private long lastStart = System.nanoTime();

  /**
   * @param subject what a request is about; two about the same never share a group
   */
  GroupedWrites(Function<Q, Long> subject, Write<Q, A> write) {
    this(subject, write, DISTANCE);
  }

  GroupedWrites(Function<Q, Long> subject, Write<Q, A> write, Duration distance) {
    this.subject = subject;
    this.write = write;
    this.distance = distance.toNanos();
  }

  /** Returns, or throws, what came of the request, after it was written. */
  A submit(Q request) {
    Waiting<Q, A> mine = new Waiting<>(request);
    if (queuesFirst(mine) || mine.turn.join() == Turn.WRITE) {
      writeNext();
    }
    return mine.isHandedBack
        ? write.write(List.of(request), Patience.ALONE).get(0)
        : mine.outcome();
  }

  private boolean queuesFirst(Waiting<Q, A> mine) {
    synchronized (queue) {
      queue.addLast(mine);
      if (queue.size() >= MOST) {
        queue.notifyAll();
      }
      boolean first = !writing;
      writing = true;
      return first;
    }
  }

  /** The caller's own request is the first in the queue, and so in the group. */
  private void writeNext() {
    List<Waiting<Q, A>> group = nextGroup();
    try {
      answer(group);
    } finally {
      handOver();
      group.forEach(waiting -> waiting.turn.complete(Turn.DONE));
    }
  }

  private List<Waiting<Q, A>> nextGroup() {
    Map<Long, Waiting<Q, A>> group = new LinkedHashMap<>();
    synchronized (queue) {
      keepDistance();
      Iterator<Waiting<Q, A>> waiting = queue.iterator();
      while (waiting.hasNext() && group.size() < MOST) {
        Waiting<Q, A> next = waiting.next();
        if (group.putIfAbsent(subject.apply(next.request), next) == null) {
          waiting.remove();
        }
      }
      keepsDistance = group.size() >= COMPANY;
    }
    return List.copyOf(group.values());
  }

  /** An interrupt ends the waiting, not the write. */
  private void keepDistance() {
    long left = keepsDistance ? lastStart + distance - System.nanoTime() : 0;
    try {
      while (left > 0 && queue.size() < MOST) {
        TimeUnit.NANOSECONDS.timedWait(queue, left);
        left = lastStart + distance - System.nanoTime();
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
    lastStart = System.nanoTime();
  }

  private void answer(List<Waiting<Q, A>> group) {
    try {
      List<A> answers =
          write.write(group.stream().map(waiting -> waiting.request).toList(), Patience.GROUP);
      for (int i = 0; i < group.size(); i++) {
        group.get(i).answer = answers.get(i);
      }
    } catch (RuntimeException e) {
      String state = sqlState(e);
      boolean isGone = Outage.isOutage(e) || QUERY_CANCELED.equals(state);
      boolean isDecided = group.size() == 1 && !LOCK_NOT_AVAILABLE.equals(state);
      for (Waiting<Q, A> waiting : group) {
        waiting.failure = e;
        waiting.isHandedBack = !isGone && !isDecided;
      }
    }
  }

  private static @Nullable String sqlState(RuntimeException failure) {
    return failure.getCause() instanceof SQLException cause ? cause.getSQLState() : null;
  }

  private void handOver() {
    Waiting<Q, A> next;
    synchronized (queue) {
      next = queue.peekFirst();
      writing = next != null;
    }
    if (next != null) {
      next.turn.complete(Turn.WRITE);
    }
  }

  private enum Turn {
    WRITE,
    DONE
  }

  /** A request whose thread waits; what came of it is there once its turn is. */
  private static final class Waiting<Q, A> {
    private final Q request;
    private final CompletableFuture<Turn> turn = new CompletableFuture<>();
    private @Nullable A answer;
    private @Nullable RuntimeException failure;
    private boolean isHandedBack;

    private Waiting(Q request) {
      this.request = request;
    }

    private A outcome() {
      if (answer != null) {
        return answer;
      }
      throw failure == null
          ? new IllegalStateException("the thread that wrote for this one was ended by an error")
          : failure;
    }
  }
}
