package dev.tidemark.activities.index.build;

import dev.tidemark.activities.index.ledger.Builds;
import dev.tidemark.activities.index.stage.SupersededBuildException;
import dev.tidemark.activities.index.stage.Watch;
import dev.tidemark.workflows.index.Build;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.ActivityCompletionException;
import io.temporal.client.ActivityWorkerShutdownException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the leases of the builds that this process works on, and tells Temporal that it lives. */
final class BuildLeases implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BuildLeases.class);
  private static final Duration EVERY = Duration.ofSeconds(8);

  private final Builds builds;
  private final Set<Held> held = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "tidemark-build-leases");
            made.setDaemon(true);
            return made;
          });

  private final ScheduledFuture<?> rounds;

  BuildLeases(Builds builds) {
    this.builds = builds;
    this.rounds =
        thread.scheduleWithFixedDelay(
            () -> held.forEach(Held::keep),
            EVERY.toMillis(),
            EVERY.toMillis(),
            TimeUnit.MILLISECONDS);
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
    rounds.cancel(false);
    thread.shutdown();
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

    private void keep() {
      try {
        activity.heartbeat(null);
        lost |= !builds.renew(build, Builds.LEASE);
      } catch (ActivityWorkerShutdownException mayFinish) {
        LOG.debug("build {} goes on while the worker stops", build.token());
      } catch (ActivityCompletionException ended) {
        lost = true;
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
