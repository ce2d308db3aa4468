package dev.tidemark.activities.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Forces several files to the disk at once, while their owner does something else: a file system
 * then writes what it has to say about them as one, where one after another each would wait for a
 * write of its own.
 */
final class Syncing {
  private static final int HELPERS = 4;
  private static final ExecutorService THREADS = threads();

  private Syncing() {}

  private static ExecutorService threads() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            HELPERS,
            HELPERS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread thread = new Thread(work, "tidemark-sync");
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  /** Begins with these, each a file or a folder; {@link Begun#await} waits for them. */
  static Begun begin(Collection<LocalFaults.Action> forced) {
    List<FutureTask<Boolean>> tasks = new ArrayList<>();
    for (LocalFaults.Action force : forced) {
      tasks.add(
          new FutureTask<>(
              () -> {
                force.run();
                return true;
              }));
    }
    tasks.forEach(THREADS::execute);
    return new Begun(tasks);
  }

  /** What was begun together. */
  record Begun(List<FutureTask<Boolean>> tasks) {
    /**
     * Returns when all are on the disk. The caller does whatever no helper has begun, so that it
     * waits for nobody else's files.
     *
     * @throws IOException the first failure; the others have been tried too
     */
    void await() throws IOException {
      tasks.forEach(FutureTask::run);
      for (FutureTask<Boolean> task : tasks) {
        Syncing.await(task);
      }
    }
  }

  private static void await(FutureTask<Boolean> task) throws IOException {
    try {
      task.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failed) {
        throw failed;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while files were forced to the disk", e);
    }
  }
}
