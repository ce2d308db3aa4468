package dev.tidemark.activities.index.build;

import dev.tidemark.activities.index.ledger.Builds;
import dev.tidemark.activities.index.ledger.Jobs;
import dev.tidemark.activities.index.ledger.ObjectIndexes;
import dev.tidemark.activities.store.Durably;
import dev.tidemark.activities.store.Scratch;
import dev.tidemark.workflows.index.Build;
import dev.tidemark.workflows.index.IndexActivities;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs an attempt of a stage: under the build's lease, in a folder of its own, recorded as a job,
 * and what goes wrong told apart as Temporal needs it.
 */
final class StageRuns implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StageRuns.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private static final int MOST_DOUBLINGS = 6;
  private static final int MOST_ERROR = 4_000;

  private final Builds builds;
  private final Jobs jobs;
  private final ObjectIndexes indexes;
  private final BuildLeases leases;

  StageRuns(DataSource ledger) {
    this.builds = new Builds(ledger);
    this.jobs = new Jobs(ledger);
    this.indexes = new ObjectIndexes(ledger);
    this.leases = new BuildLeases(builds);
  }

  /** What a stage has made. */
  record Done<T>(Jobs.Published published, @Nullable T result) {}

  /** A stage. */
  @FunctionalInterface
  interface Stage<T> {
    Done<T> run(Work work) throws IOException;
  }

  <T> @Nullable T run(Build build, Jobs.Stage stage, String subject, Stage<T> work) {
    ActivityExecutionContext activity = Activity.getExecutionContext();
    try (BuildLeases.Held lease = leases.hold(build, activity)) {
      jobs.begin(build, stage, subject);
      Path scratch = Scratch.folder("objects");
      try {
        Done<T> done =
            work.run(
                new Work(
                    build, indexes.get(build.index()), builds.throughEdit(build), scratch, lease));
        jobs.complete(build, stage, subject, done.published());
        return done.result();
      } finally {
        Durably.removeTree(scratch);
      }
    } catch (SupersededException e) {
      jobs.fail(build, stage, subject, String.valueOf(e.getMessage()));
      throw ApplicationFailure.newNonRetryableFailure(
          String.valueOf(e.getMessage()), IndexActivities.SUPERSEDED);
    } catch (BadObjectsException e) {
      String error = error(e);
      jobs.fail(build, stage, subject, error);
      throw ApplicationFailure.newNonRetryableFailure(error, IndexActivities.BAD_DATA);
    } catch (IOException | RuntimeException e) {
      throw triedAgain(build, stage, subject, activity.getInfo().getAttempt(), e);
    }
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
