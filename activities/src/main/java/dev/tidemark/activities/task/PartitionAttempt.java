package dev.tidemark.activities.task;

import dev.tidemark.activities.connection.Outage;
import dev.tidemark.activities.inputs.ChangeDetector.Range;
import dev.tidemark.activities.inputs.DetectorException;
import dev.tidemark.activities.inputs.InputVersions;
import dev.tidemark.activities.inputs.Observed;
import dev.tidemark.activities.ledger.Observations;
import dev.tidemark.activities.ledger.Observations.Seen;
import dev.tidemark.activities.ledger.attempt.Attempts;
import dev.tidemark.activities.ledger.attempt.Attempts.Committed;
import dev.tidemark.activities.ledger.attempt.Attempts.FailureKind;
import dev.tidemark.activities.ledger.attempt.Begin.Begun;
import dev.tidemark.activities.publish.Contents;
import dev.tidemark.workflows.foreign.ForeignInput;
import dev.tidemark.workflows.foreign.ForeignResult;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import dev.tidemark.workflows.pipeline.TaskSpec;
import dev.tidemark.workflows.planning.InputHold;
import dev.tidemark.workflows.planning.Reason;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one begun attempt does between its begin and its settle. Its claim is kept until it is
 * closed: a settle may have to wait.
 */
final class PartitionAttempt implements AutoCloseable {
  private final Begun begun;
  private final AttemptOutput output;
  private final Attempts attempts;
  private final LeaseKeeper keeper;
  private final TaskRun run;

  PartitionAttempt(Begun begun, AttemptOutput output, Attempts attempts, LeaseKeeper keeper) {
    this.begun = begun;
    this.output = output;
    this.attempts = attempts;
    this.keeper = keeper;
    PipelineDefinition definition = begun.pipeline().definition();
    this.run =
        new TaskRun(
            new TaskRun.Subject(
                definition.name(),
                definition.extent().partitions().zone(),
                begun.window(),
                begun.slice(),
                begun.params(),
                account(definition, output.slice(begun))),
            new TaskRun.Attempt(begun.token(), begun.context().attempt()),
            output::folder);
    run.replaces(() -> attempts.previousCommit(begun.token()));
  }

  private static @Nullable String account(PipelineDefinition definition, Slice slice) {
    String dimension = definition.extent().account();
    return dimension == null ? null : slice.values().get(dimension);
  }

  /** Reads versions, runs the task, publishes; its claim is kept from now on. */
  Committed run(
      Observations observations, InputVersions inputs, Tasks tasks, LeaseKeeper.Heartbeat heartbeat)
      throws AttemptFailedException {
    read(observations, inputs, heartbeat);
    TaskSpec task = begun.pipeline().definition().task();
    checkColumns(task);
    Contents contents = execute(tasks, task);
    checkColumns(task);
    return output.publish(run.inputVersion(), contents);
  }

  /** The first commit pins them: before the query, and again before what it returned is seen. */
  private void checkColumns(TaskSpec task) throws AttemptFailedException {
    if (task instanceof TaskSpec.Export) {
      Optional<String> refusal = attempts.refusedColumns(begun);
      if (refusal.isPresent()) {
        throw new AttemptFailedException(FailureKind.ERROR, refusal.get());
      }
    }
  }

  /** Reads versions; its claim is kept from now on. */
  private void read(
      Observations observations, InputVersions inputs, LeaseKeeper.Heartbeat heartbeat)
      throws AttemptFailedException {
    keeper.keep(run, heartbeat);
    if (!begun.pipeline().definition().inputs().isEmpty()) {
      run.read(readVersion(observations, inputs));
    }
  }

  /** Reads versions, and makes a place for the files of a task that another SDK runs. */
  ForeignInput prepare(
      Observations observations, InputVersions inputs, LeaseKeeper.Heartbeat heartbeat)
      throws AttemptFailedException {
    read(observations, inputs, heartbeat);
    return new ForeignInput(
        run.pipeline(),
        run.window().label(),
        run.slice().values(),
        run.window().start(),
        run.window().end(),
        run.subject().zone().getId(),
        run.params(),
        run.inputVersion(),
        run.token(),
        run.attempt(),
        output.share());
  }

  /** Publishes what such a task wrote, made from the version that was read at its begin. */
  Committed publish(ForeignResult result, LeaseKeeper.Heartbeat heartbeat)
      throws AttemptFailedException {
    keeper.keep(run, heartbeat);
    output.take(result.files());
    return output.publish(begun.context().inputVersion(), Contents.of(result.rows()));
  }

  @Override
  public void close() {
    keeper.release(run);
  }

  /** What the task printed, or null. */
  @Nullable String log() {
    return run.log().text();
  }

  private Contents execute(Tasks tasks, TaskSpec task) throws AttemptFailedException {
    try {
      return TaskExecution.run(tasks, task, run, () -> keeper.startClock(run, task.timeout()));
    } catch (AttemptFailedException e) {
      throw e.getCause() instanceof CommitFence.PassedException ? passed(e) : e;
    } finally {
      keeper.stopClock(run);
    }
  }

  /**
   * A target database that knows a later commit, of an attempt that this ledger has not issued: the
   * ledger was made anew, or another installation has a pipeline of this name. Released, the
   * partition would come back at once and for ever.
   */
  private AttemptFailedException passed(AttemptFailedException e) {
    return attempts.holds(begun.token())
        ? new AttemptFailedException(
            FailureKind.ERROR,
            e.getMessage()
                + ", and this ledger knows of none: if the ledger was made anew, delete those rows of tidemark_commit; if another installation writes there, give one of the pipelines another name",
            e)
        : e;
  }

  /** The version is read before the task, so that data landing in between is late, not lost. */
  private String readVersion(Observations observations, InputVersions inputs)
      throws AttemptFailedException {
    Instant readAt = observations.now();
    Observed observed = observe(inputs, readAt);
    String partition = begun.window().label();
    String version = observed.version(partition, begun.slice());
    if (version == null) {
      InputHold hold = observed.hold(partition, begun.slice());
      Seen nothing = Seen.of(begun.slice(), partition, null, hold);
      observations.record(begun.pipeline(), readAt, Stream.of(nothing));
      throw new AttemptFailedException(FailureKind.NOT_READY, notReady(partition, hold));
    }
    attempts.observed(begun.token(), version, readAt);
    return version;
  }

  private static String notReady(String partition, @Nullable InputHold hold) {
    return hold != null && hold.reason() == Reason.UPSTREAM_NOT_READY
        ? "upstream_not_ready: " + partition + " waits for " + hold.detail()
        : "no_input: a required input of " + partition + " is not there";
  }

  private Observed observe(InputVersions inputs, Instant clock) throws AttemptFailedException {
    PipelineDefinition definition = begun.pipeline().definition();
    Range range =
        new Range(
            definition.name(),
            definition.extent().partitions(),
            begun.window().start(),
            begun.window().end(),
            begun.slice());
    try {
      return inputs.observe(
          begun.pipeline(), range, new InputVersions.AsOf(begun.context().claimNow(), clock));
    } catch (DetectorException e) {
      FailureKind kind = Outage.isOutage(e) ? FailureKind.NOT_READY : FailureKind.ERROR;
      throw new AttemptFailedException(kind, String.valueOf(e.getMessage()), e);
    }
  }
}
