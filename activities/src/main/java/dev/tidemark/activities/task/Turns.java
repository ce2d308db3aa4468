package dev.tidemark.activities.task;

import dev.tidemark.activities.connection.Connections;
import dev.tidemark.activities.publish.Contents;
import dev.tidemark.workflows.export.Dataset.Format;
import dev.tidemark.workflows.pipeline.TaskSpec;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The turns of tasks for what they share and hold for as long as they run: the connections of a
 * pool, of which some are left to whoever needs one for a moment, and the heap. They come in the
 * order in which they are asked for.
 */
final class Turns {
  /** What a Parquet file that is being written keeps of the heap (docs/performance.md). */
  private static final long PARQUET_BYTES = 40L * 1024 * 1024;

  /** As many at once as three quarters of the heap hold: beyond it the process would end. */
  private static final Semaphore PARQUET =
      new Semaphore(
          (int) Math.max(1, Runtime.getRuntime().maxMemory() / 4 * 3 / PARQUET_BYTES), true);

  /** Of each of two turns: a claim is kept for an hour beside the task itself. */
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(20);

  private final Map<String, Semaphore> databases = new ConcurrentHashMap<>();

  /**
   * Runs a task when its turn comes.
   *
   * @throws NotReadyException if it does not come for long
   * @throws InterruptedException if the thread was interrupted while it waited
   * @throws Exception as the task does
   */
  Contents take(TaskSpec spec, Callable<Contents> task) throws Exception {
    if (spec instanceof TaskSpec.Sql sql) {
      return holding(database(sql.connection()), "connection '" + sql.connection() + "'", task);
    }
    if (spec instanceof TaskSpec.Export export) {
      // The database first: its turns are fewer, so that of the heap is not held in waiting for it.
      return holding(
          database(export.connection()),
          "connection '" + export.connection() + "'",
          export.dataset().format() == Format.PARQUET
              ? () -> holding(PARQUET, "Parquet files", task)
              : task);
    }
    return task.call();
  }

  private Semaphore database(String connection) {
    return databases.computeIfAbsent(
        connection, any -> new Semaphore(Connections.TASKS_AT_ONCE, true));
  }

  private static Contents holding(Semaphore turns, String what, Callable<Contents> task)
      throws Exception {
    if (!turns.tryAcquire(LONGEST_WAIT.toMinutes(), TimeUnit.MINUTES)) {
      throw new NotReadyException(
          "other tasks of this worker have all turns of %s, and none ended within %d minutes; start more workers, or say a lower limits.parallel"
              .formatted(what, LONGEST_WAIT.toMinutes()));
    }
    try {
      return task.call();
    } finally {
      turns.release();
    }
  }
}
