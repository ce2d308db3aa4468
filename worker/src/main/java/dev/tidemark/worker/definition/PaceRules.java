package dev.tidemark.worker.definition;

import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.pipeline.Pace;
import dev.tidemark.workflows.pipeline.Retry;
import dev.tidemark.workflows.pipeline.Wake;
import java.time.Duration;
import java.time.Period;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
    Limits.Volume volume = draft.pace().limits().volume();
    if (volume != null && draft.output() == null) {
      found.add(
          new Violation(
              volume.files() == null ? "limits.bytes" : "limits.files",
              "counts what is published, and the pipeline has no output; use limits.partitions"));
    }
    positive("freshness.within", draft.pace().freshness(), found);
    if (draft.task() != null) {
      positive("task.timeout", draft.task().timeout(), found);
    }
    if (draft.integration().accept().isNegative()) {
      found.add(
          new Violation(
              "late-data.accept", draft.integration().accept() + " must not be negative"));
    }
    stateful(draft, found);
    Period keep = draft.space().keep();
    if (keep != null && (keep.isNegative() || keep.isZero())) {
      found.add(new Violation("keep", keep + " must be at least a day"));
    }
    if (draft.integration().frozen() && !draft.integration().lookback().isEmpty()) {
      found.add(
          new Violation(
              "lookback", "asks for partitions again, and frozen: true refuses that; keep one"));
    }
  }

  /** What builds on the window before it can only follow it, late ones first (C3). */
  private static void stateful(Draft draft, List<Violation> found) {
    if (!draft.integration().stateful()) {
      return;
    }
    if (draft.pace().order() != Pace.Order.OLDEST_FIRST) {
      found.add(
          new Violation(
              "order",
              "must be oldest-first where stateful is true: a window runs after the one before it"));
    }
    if (draft.integration().strategy() != Integration.Strategy.LATE_FIRST) {
      found.add(
          new Violation(
              "late-data.strategy",
              "must be late-first where stateful is true: a window is right only if those before it are"));
    }
  }

  private static void positive(String key, @Nullable Duration duration, List<Violation> found) {
    if (duration != null && (duration.isNegative() || duration.isZero())) {
      found.add(new Violation(key, duration + " must be longer than nothing"));
    }
  }
}
