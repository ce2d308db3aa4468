package dev.tidemark.starter.backfill;

import dev.tidemark.activities.backfill.Backfills;
import dev.tidemark.starter.output.Console;
import dev.tidemark.starter.output.ProgressBar;
import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.starter.session.Deadline;
import dev.tidemark.workflows.backfill.BackfillView;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Follows a backfill in the ledger until each of its partitions is committed, parked or cancelled.
 */
public final class BackfillWait {
  private static final Duration LOOK = Duration.ofMillis(300);

  private final Backfills backfills;
  private final Console console;

  public BackfillWait(Backfills backfills, Console console) {
    this.backfills = backfills;
    this.console = console;
  }

  /**
   * The backfill as it is in the end.
   *
   * @param timeout null for no bound
   */
  public BackfillView untilSettled(BackfillView asked, @Nullable Duration timeout)
      throws InterruptedException {
    Deadline deadline = Deadline.after(timeout);
    BackfillView view = asked;
    try (ProgressBar bar = console.progress(asked.pipeline())) {
      while (!isSettled(view)) {
        bar.show(view.completed() + view.cancelled(), view.failed(), view.partitions());
        if (deadline.isPast()) {
          throw CommandFailure.failed(late(view, timeout));
        }
        Thread.sleep(LOOK.toMillis());
        view = look(view);
      }
    }
    return view;
  }

  private BackfillView look(BackfillView last) {
    String id = last.backfillId();
    return id == null ? last : backfills.find(id).orElse(last);
  }

  private static String late(BackfillView view, @Nullable Duration timeout) {
    return "backfill "
        + view.backfillId()
        + " did not settle within "
        + timeout
        + ": "
        + view.completed()
        + " of "
        + view.partitions()
        + " completed; it goes on where a worker runs";
  }

  private static boolean isSettled(BackfillView view) {
    return switch (view.state()) {
      case COMPLETED, FAILED, CANCELLED, REJECTED -> true;
      case REQUESTED, RUNNING, PAUSED ->
          view.completed() + view.failed() + view.cancelled() >= view.partitions();
    };
  }
}
