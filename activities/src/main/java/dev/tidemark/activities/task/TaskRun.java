package dev.tidemark.activities.task;

import dev.tidemark.activities.ledger.attempt.PreviousCommit;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of a task: what the task may know of it, and the way to end it from another thread. It is
 * ended at most once, and only while the task runs is its thread interrupted.
 */
final class TaskRun implements TaskContext {
  /** Why a run was ended before the task did. */
  enum End {
    TIMED_OUT,
    /** Temporal or a person wants no more of it. */
    CANCELLED,
    /** A later attempt has begun, or the claim was given to another. */
    LOST,
    /** The worker stops. */
    SHUTDOWN
  }

  /**
   * What is run.
   *
   * @param zone the pipeline's
   * @param account as its output has it; null where the pipeline has none
   */
  record Subject(
      String pipeline,
      ZoneId zone,
      Window window,
      Slice slice,
      Map<String, String> params,
      @Nullable String account) {
    /** Without an account. */
    Subject(String pipeline, ZoneId zone, Window window, Slice slice, Map<String, String> params) {
      this(pipeline, zone, window, slice, params, null);
    }
  }

  /**
   * Which run of it.
   *
   * @param token the fencing token; 0 in a trial
   * @param attempt number of the attempt under its claim, from 1
   */
  record Attempt(long token, int attempt) {}

  /** Makes the output folder when the task first asks for it. */
  @FunctionalInterface
  interface Folder {
    Path open() throws IOException;
  }

  /** The place for the output cannot be made: a fault of the store, not of the task. */
  static final class NoFolderException extends UncheckedIOException {
    private static final long serialVersionUID = 1L;

    private final IOException fault;

    NoFolderException(String message, IOException fault) {
      super(message, fault);
      this.fault = fault;
    }

    IOException fault() {
      return fault;
    }
  }

  static final String MAKE_FOLDER = "make the output folder";

  private final Subject subject;
  private final Attempt attempt;
  private final Folder output;
  private final TaskLog log = new TaskLog();
  private Supplier<Optional<PreviousCommit>> previous = Optional::empty;
  private volatile @Nullable String inputVersion;
  private volatile Path folder = Path.of("").toAbsolutePath();
  private @Nullable Thread thread;
  private @Nullable Runnable onEnd;
  private volatile @Nullable End end;

  TaskRun(Subject subject, Attempt attempt, Folder output) {
    this.subject = subject;
    this.attempt = attempt;
    this.output = output;
  }

  Subject subject() {
    return subject;
  }

  @Override
  public String pipeline() {
    return subject.pipeline();
  }

  @Override
  public Window window() {
    return subject.window();
  }

  @Override
  public Slice slice() {
    return subject.slice();
  }

  @Override
  public Map<String, String> params() {
    return subject.params();
  }

  @Override
  public long token() {
    return attempt.token();
  }

  /** Nothing of it may last: {@link TaskTrial}. */
  boolean isTrial() {
    return attempt.token() == 0;
  }

  @Override
  public int attempt() {
    return attempt.attempt();
  }

  @Override
  public @Nullable String inputVersion() {
    return inputVersion;
  }

  /** Sets the version that was read, before the task starts. */
  void read(String version) {
    inputVersion = version;
  }

  /** Sets how to find out what this run replaces, before the task starts. */
  void replaces(Supplier<Optional<PreviousCommit>> commit) {
    previous = commit;
  }

  /** The commit that this run replaces; empty where there is none, and in a trial. */
  Optional<PreviousCommit> previous() {
    return previous.get();
  }

  /** Sets what relative paths are relative to, before the task starts. */
  void in(Path base) {
    folder = base;
  }

  @Override
  public Path folder() {
    return folder;
  }

  @Override
  public Path output() {
    try {
      return output.open();
    } catch (IOException e) {
      throw new NoFolderException("cannot " + MAKE_FOLDER + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void log(String line) {
    log.add(line);
  }

  TaskLog log() {
    return log;
  }

  @Override
  public boolean isCancelled() {
    return end != null;
  }

  /** Why it was ended from outside, or null. */
  @Nullable End end() {
    return end;
  }

  /** Ends the run: the task's thread is interrupted, and told in the way that it asked for. */
  synchronized void end(End why) {
    if (end != null) {
      return;
    }
    end = why;
    if (thread != null) {
      thread.interrupt();
    }
    if (onEnd != null) {
      onEnd.run();
    }
  }

  /**
   * What ends a task that an interrupt does not reach; null for nothing any more. After null the
   * action is over, if it was run: what it aims at may be given to others.
   */
  synchronized void onEnd(@Nullable Runnable action) {
    onEnd = action;
    if (end != null && action != null) {
      action.run();
    }
  }

  /**
   * Runs the body, which {@link #end} interrupts.
   *
   * @throws InterruptedException if the run was ended, also where the body came to an end by
   *     itself: a task that saw it may have stopped half-way
   */
  <T> T interruptibly(Callable<T> body) throws Exception {
    synchronized (this) {
      if (end != null) {
        throw new InterruptedException();
      }
      thread = Thread.currentThread();
    }
    try {
      T result = body.call();
      if (end != null) {
        throw new InterruptedException();
      }
      return result;
    } finally {
      synchronized (this) {
        thread = null;
        onEnd = null;
        // Meant for the task, also where it was the task's own: it must not hit the settling.
        Thread.interrupted();
      }
    }
  }
}
