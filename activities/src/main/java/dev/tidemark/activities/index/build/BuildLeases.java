package dev.tidemark.activities.index.build;

import dev.tidemark.activities.index.ledger.Builds;
import dev.tidemark.activities.index.stage.SupersededBuildException;
import dev.tidemark.activities.index.stage.Watch;
import dev.tidemark.workflows.index.Build;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCompletionException;
import io.temporal.client.ActivityWorkerShutdownException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the leases of the builds that this process works on, and tells Temporal that it lives. */
final class BuildLeases implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BuildLeases.class);
  private static final Duration EVERY = Duration.ofSeconds(8);

  private final Builds builds;
  private final Set<Held> held = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService threads =
      Executors.newScheduledThreadPool(
          2,
          task -> {
            Thread made = new Thread(task, "tidemark-build-leases");
            made.setDaemon(true);
            return made;
          });

  private final List<ScheduledFuture<?>> rounds;

  BuildLeases(Builds builds) {
    this(builds, EVERY);
  }

  /** Heartbeats have a thread of their own: a ledger that is slow must not end an activity. */
  BuildLeases(Builds builds, Duration every) {
    this.builds = builds;
    this.rounds = List.of(each(every, Held::heartbeat), each(every, Held::renew));
  }

  private ScheduledFuture<?> each(Duration every, Consumer<Held> round) {
    return threads.scheduleWithFixedDelay(
        () -> held.forEach(round), every.toMillis(), every.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Takes the lease of an attempt; it is kept until it is closed.
   *
   * @throws SupersededBuildException if the build is not the newest any more
   */
  Held hold(Build build, ActivityExecutionContext activity) throws SupersededBuildException {
    Held taken = new Held(build, activity);
    taken.confirm("begin");
    held.add(taken);
    return taken;
  }

  @Override
  public void close() {
    rounds.forEach(round -> round.cancel(false));
    threads.shutdown();
  }

  /** One attempt's: also what a stage tells, and asks before it writes. */
  final class Held implements Watch, AutoCloseable {
    private final Build build;
    private final ActivityExecutionContext activity;
    private volatile boolean lost;

    private Held(Build build, ActivityExecutionContext activity) {
      this.build = build;
      this.activity = activity;
    }

    /** A stage that works does nothing else: it ends as soon as its lease is known to be lost. */
    @Override
    public void beat() {
      if (lost) {
        throw new CancellationException("a later attempt or build has begun; this one ends");
      }
    }

    @Override
    public void confirm(String step) throws SupersededBuildException {
      if (lost || !builds.renew(build, Builds.LEASE)) {
        throw new SupersededBuildException(step);
      }
    }

    private void heartbeat() {
      try {
        activity.heartbeat(null);
      } catch (ActivityWorkerShutdownException mayFinish) {
        LOG.debug("build {} goes on while the worker stops", build.token());
      } catch (ActivityCompletionException ended) {
        lost = true;
      } catch (RuntimeException triedAgain) {
        LOG.warn("build {} could not tell that it lives; tried again", build, triedAgain);
      }
    }

    private void renew() {
      try {
        if (!builds.renew(build, Builds.LEASE)) {
          lost = true;
        }
      } catch (RuntimeException triedAgain) {
        LOG.warn("the lease of build {} could not be renewed; tried again", build, triedAgain);
      }
    }

    @Override
    public void close() {
      held.remove(this);
    }
  }
}
