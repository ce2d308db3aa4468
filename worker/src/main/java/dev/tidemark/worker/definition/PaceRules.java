package dev.tidemark.worker.definition;

import dev.tidemark.workflows.pipeline.Retry;
import dev.tidemark.workflows.pipeline.Wake;
import java.util.List;

/** Rules of when, in which order and how late. */
final class PaceRules {
  private PaceRules() {}

  static void check(Draft draft, List<Violation> found) {
    if (draft.pace().sweep() instanceof Wake.Cron cron) {
      CronExpression.problem(cron.expression())
          .ifPresent(
              problem ->
                  found.add(new Violation("sweep.cron", "'" + cron.expression() + "' " + problem)));
    }
    Retry retry = draft.pace().retry();
    if (retry.backoff().compareTo(retry.maxBackoff()) > 0) {
      found.add(
          new Violation(
              "retry.max-backoff",
              retry.maxBackoff() + " must not be shorter than backoff, " + retry.backoff()));
    }
    if (draft.integration().frozen() && !draft.integration().lookback().isEmpty()) {
      found.add(
          new Violation(
              "lookback", "asks for partitions again, and frozen: true refuses that; keep one"));
    }
  }
}
