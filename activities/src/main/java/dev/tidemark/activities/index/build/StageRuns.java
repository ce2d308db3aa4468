package dev.tidemark.activities.index.build;

import dev.tidemark.activities.index.ledger.Builds;
import dev.tidemark.activities.index.ledger.Jobs;
import dev.tidemark.activities.index.source.BadRowsException;
import dev.tidemark.activities.index.source.GoneException;
import dev.tidemark.activities.index.stage.SupersededBuildException;
import dev.tidemark.activities.index.stage.Watch;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.IndexActivities;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an attempt of a stage: under the build's lease, recorded as a job, and what goes wrong told
 * apart as Temporal needs it.
 */
final class StageRuns implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StageRuns.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private static final int MOST_DOUBLINGS = 6;
  private static final int MOST_ERROR = 4_000;

  private final Builds builds;
  private final Jobs jobs;
  private final BuildLeases leases;

  StageRuns(DataSource ledger) {
    this.builds = new Builds(ledger);
    this.jobs = new Jobs(ledger);
    this.leases = new BuildLeases(builds);
  }

  /** What a stage has made. */
  record Done<T>(Jobs.Published published, T result) {}

  /** A stage. */
  @FunctionalInterface
  interface Stage<T> {
    Done<T> run(Watch watch) throws IOException;
  }

  <T> T run(Build build, Jobs.Stage stage, String subject, Stage<T> work) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    try (BuildLeases.Held lease = leases.hold(build, activity)) {
      jobs.begin(build, stage, subject);
      Done<T> done = work.run(lease);
      jobs.complete(build, stage, subject, done.published());
      return done.result();
    } catch (SupersededBuildException | CancellationException e) {
      throw given(build, stage, subject, e, IndexActivities.SUPERSEDED);
    } catch (GoneException e) {
      builds.abandon(build, error(e));
      throw given(build, stage, subject, e, IndexActivities.SUPERSEDED);
    } catch (BadRowsException e) {
      throw given(build, stage, subject, e, IndexActivities.BAD_DATA);
    } catch (IOException | RuntimeException e) {
      throw triedAgain(build, stage, subject, activity.getInfo().getAttempt(), e);
    }
  }

  /** Whether an attempt that died before it could say so has ended the build. */
  boolean isOver(Build build, Jobs.Stage stage, String subject) {
    boolean over = builds.isCompleted(build);
    if (over) {
      jobs.finish(build, stage, subject);
    }
    return over;
  }

  /** Another attempt would end the same way. */
  private ApplicationFailure given(
      Build build, Jobs.Stage stage, String subject, Exception failure, String type) {
    String error = error(failure);
    jobs.fail(build, stage, subject, error);
    return ApplicationFailure.newNonRetryableFailure(error, type);
  }

  /** The lease lasts until the next attempt has had its time to begin. */
  private ApplicationFailure triedAgain(
      Build build, Jobs.Stage stage, String subject, int attempt, Exception failure) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(attempt - 1, MOST_DOUBLINGS));
    pause = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
    String error = error(failure);
    LOG.warn(
        "{} of '{}' failed; it is tried again in {}", stage, build.objectType(), pause, failure);
    try {
      builds.renew(build, pause.plus(Builds.LEASE));
      jobs.fail(build, stage, subject, error);
    } catch (RuntimeException unrecorded) {
      failure.addSuppressed(unrecorded);
    }
    return ApplicationFailure.newBuilder()
        .setMessage(error)
        .setType("TidemarkStageFailed")
        .setCause(failure)
        .setNextRetryDelay(pause)
        .build();
  }

  private static String error(Exception failure) {
    String message = failure.getMessage();
    String text = message == null || message.isBlank() ? failure.toString() : message;
    return text.length() <= MOST_ERROR ? text : text.substring(0, MOST_ERROR);
  }

  @Override
  public void close() {
    leases.close();
  }
}
