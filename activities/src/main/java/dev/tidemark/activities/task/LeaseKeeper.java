package dev.tidemark.activities.task;

import dev.tidemark.activities.ledger.attempt.Attempts;
import io.temporal.client.ActivityCanceledException;
import io.temporal.client.ActivityCompletionException;
import io.temporal.client.ActivityNotExistsException;
import io.temporal.client.ActivityPausedException;
import io.temporal.client.ActivityResetException;
import io.temporal.client.ActivityWorkerShutdownException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the claims of all running attempts of a process: one statement renews their leases, one
 * thread sends their heartbeats and ends those that are overdue, cancelled or lost. An attempt that
 * takes less than five seconds costs neither.
 */
final class LeaseKeeper implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);
  private static final long HEARTBEAT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /**
   * How often to look.
   *
   * @param shortest an attempt younger than this is left alone
   */
  record Rhythm(Duration watch, Duration renew, Duration shortest) {
    static final Rhythm DEFAULT =
        new Rhythm(Duration.ofMillis(500), Duration.ofSeconds(15), Duration.ofSeconds(5));
  }

  /** Tells Temporal that an attempt lives; throws where Temporal wants it to end. */
  @FunctionalInterface
  interface Heartbeat {
    void beat();
  }

  private final Attempts attempts;
  private final Rhythm rhythm;
  private final Map<TaskRun, Kept> kept = new ConcurrentHashMap<>();
  private final ScheduledExecutorService threads;
  private final List<ScheduledFuture<?>> rounds;
  private volatile boolean closed;

  LeaseKeeper(Attempts attempts, Rhythm rhythm) {
    this.attempts = attempts;
    this.rhythm = rhythm;
    this.threads =
        Executors.newScheduledThreadPool(
            2,
            task -> {
              Thread thread = new Thread(task, "tidemark-lease-keeper");
              thread.setDaemon(true);
              return thread;
            });
    this.rounds = List.of(every(rhythm.watch(), this::watch), every(rhythm.renew(), this::renew));
  }

  private ScheduledFuture<?> every(Duration pause, Runnable round) {
    return threads.scheduleWithFixedDelay(
        guarded(round), nanos(pause), nanos(pause), TimeUnit.NANOSECONDS);
  }

  private static long nanos(Duration duration) {
    return duration.toNanos();
  }

  /** Keeps an attempt's claim until {@link #release}. */
  void keep(TaskRun run, Heartbeat heartbeat) {
    kept.put(run, new Kept(heartbeat, System.nanoTime() + nanos(rhythm.shortest())));
    if (closed) {
      run.end(TaskRun.End.SHUTDOWN);
    }
  }

  /** From now on the attempt is ended when the time is over. */
  void startClock(TaskRun run, Duration timeout) {
    Kept found = kept.get(run);
    if (found != null) {
      found.deadline = System.nanoTime() + nanos(timeout);
      found.timed = true;
    }
  }

  /** The task has ended in time. */
  void stopClock(TaskRun run) {
    Kept found = kept.get(run);
    if (found != null) {
      found.timed = false;
    }
  }

  void release(TaskRun run) {
    kept.remove(run);
  }

  int size() {
    return kept.size();
  }

  private void watch() {
    long now = System.nanoTime();
    kept.forEach(
        (run, lease) -> {
          if (lease.timed && now - lease.deadline >= 0) {
            run.end(TaskRun.End.TIMED_OUT);
          }
          if (now - lease.nextBeat >= 0) {
            lease.nextBeat = now + HEARTBEAT_NANOS;
            beat(run, lease.heartbeat);
          }
        });
  }

  private static void beat(TaskRun run, Heartbeat heartbeat) {
    try {
      heartbeat.beat();
    } catch (ActivityWorkerShutdownException e) {
      // It may finish within the grace of the shutdown; after that it is ended by close().
      log.debug("heartbeat of {} during shutdown", run.token());
    } catch (ActivityNotExistsException e) {
      run.end(TaskRun.End.LOST);
    } catch (ActivityCanceledException | ActivityPausedException | ActivityResetException e) {
      run.end(TaskRun.End.CANCELLED);
    } catch (ActivityCompletionException e) {
      log.warn("no heartbeat for attempt {}; tried again in ten seconds", run.token(), e);
    }
  }

  private void renew() {
    long now = System.nanoTime();
    Map<Long, TaskRun> due =
        kept.entrySet().stream()
            .filter(entry -> now - entry.getValue().worthIt >= 0)
            .collect(Collectors.toMap(entry -> entry.getKey().token(), Map.Entry::getKey));
    if (due.isEmpty()) {
      return;
    }
    Set<Long> held = attempts.renew(due.keySet());
    due.forEach(
        (token, run) -> {
          if (!held.contains(token)) {
            run.end(TaskRun.End.LOST);
          }
        });
  }

  /** A periodic task that throws would never run again. */
  private static Runnable guarded(Runnable task) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException e) {
        log.warn("cannot keep the claims of running attempts; tried again shortly", e);
      }
    };
  }

  /** Ends every attempt that still runs; each settles as released. */
  @Override
  public void close() {
    closed = true;
    kept.keySet().forEach(run -> run.end(TaskRun.End.SHUTDOWN));
    rounds.forEach(round -> round.cancel(false));
    threads.shutdown();
  }

  /** What is known of a kept attempt. */
  private static final class Kept {
    private final Heartbeat heartbeat;
    private final long worthIt;
    private long nextBeat;
    private long deadline;
    // Written after the deadline, so that whoever reads true reads the deadline too.
    private volatile boolean timed;

    /**
     * @param worthIt when it is old enough to be worth a renewal and a heartbeat
     */
    Kept(Heartbeat heartbeat, long worthIt) {
      this.heartbeat = heartbeat;
      this.worthIt = worthIt;
      this.nextBeat = worthIt;
    }
  }
}
