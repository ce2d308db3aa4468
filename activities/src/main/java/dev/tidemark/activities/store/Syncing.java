package dev.tidemark.activities.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Forces several files to the disk at once: a file system then writes what it has to say about them
 * as one, where one after another each would wait for a write of its own.
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

  /**
   * Returns when all are on the disk. The caller does whatever no helper has begun, so that it
   * waits for nobody else's files.
   *
   * @throws IOException the first failure; the others have been tried too
   */
  static void all(List<Path> files) throws IOException {
    List<FutureTask<Path>> tasks = new ArrayList<>();
    for (Path file : files) {
      tasks.add(
          new FutureTask<>(
              () -> {
                Durably.sync(file);
                return file;
              }));
    }
    tasks.stream().skip(1).forEach(THREADS::execute);
    tasks.forEach(FutureTask::run);
    for (FutureTask<Path> task : tasks) {
      await(task);
    }
  }

  private static void await(FutureTask<Path> task) throws IOException {
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
