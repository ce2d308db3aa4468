package dev.tidemark.starter.backfill;

import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.Session;
import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Hands a request to the pipeline's workflow, which a worker answers: bounded, if there is none.
 */
final class BackfillAsking {
  static final Duration LONGEST_WITHOUT_WAITING = Duration.ofSeconds(30);

  private BackfillAsking() {}

  /**
   * The backfill, as accepted.
   *
   * @param longest null for no bound
   */
  static BackfillView ask(
      Session session, String pipeline, BackfillRequest request, @Nullable Duration longest)
      throws Exception {
    CompletableFuture<BackfillView> answer =
        CompletableFuture.supplyAsync(() -> session.client().requestBackfill(pipeline, request));
    try {
      return longest == null ? answer.get() : answer.get(longest.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw CommandFailure.failed(
          "no worker took the request for '%s' within %s; start `tidemark worker`, then ask again unless `tidemark backfills list` shows it"
              .formatted(pipeline, longest));
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
