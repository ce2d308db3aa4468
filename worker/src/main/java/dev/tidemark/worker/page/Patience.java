package dev.tidemark.worker.page;

import dev.tidemark.worker.http.HttpFailure;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for workers that may not be there: so long and no longer. As many threads as there are
 * requests at work; each waits for an answer, and is ended where none comes.
 */
final class Patience {
  private final ExecutorService askers =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "tidemark-backfill-request");
            thread.setDaemon(true);
            return thread;
          });

  private final Duration longest;

  Patience(Duration longest) {
    this.longest = longest;
  }

  /**
   * The answer.
   *
   * @throws HttpFailure 503 if none comes in time
   */
  <T> T answer(Callable<T> question) throws Exception {
    Future<T> answer = askers.submit(question);
    try {
      return answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new HttpFailure(
          503,
          "unreachable",
          null,
          "no worker took the request within "
              + longest.toSeconds()
              + " s; see whether it is in the list before you ask again");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
