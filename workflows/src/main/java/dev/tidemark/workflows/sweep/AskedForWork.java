package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.ledger.LedgerActivities;
import dev.tidemark.workflows.ledger.Outlook;
import dev.tidemark.workflows.ledger.PlanRequest;
import dev.tidemark.workflows.ledger.Scope;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The work that people asked for, until nothing of it is left. What is left is in the ledger, so
 * that this workflow remembers nothing: it looks, runs what it finds, sleeps until there may be
 * more, and ends by itself. A wake-up is a pass over everything, as a scheduled sweep is.
 */
final class AskedForWork implements SweepMode {
  private static final int MAX_RECEIVED = 500;
  private static final Outlook NOTHING = new Outlook(0, 0, 0, 0, null);

  private final LedgerActivities ledger = ActivityPolicies.ledger();
  private final SweepInput input;
  private final Inbox inbox;
  private final Lanes asked;
  private final Pass woken;
  private Outlook outlook = NOTHING;

  AskedForWork(SweepInput input, Inbox inbox) {
    this.input = input;
    this.inbox = inbox;
    this.asked = new Lanes(input, Scope.REQUESTED);
    this.woken = new Pass(input);
  }

  @Override
  public SweepReport run(CancellationScope whole) {
    while (!whole.isCancelRequested()) {
      // Taken before the look, so that what comes in during it leads to another one.
      int settled = inbox.settled();
      int ended = sum(Lanes::ended);
      look();
      // Nothing may come between this and the end: a message that arrives now is seen, or makes the
      // server refuse the end and run this task again with it.
      if (isOver() && inbox.settled() == settled && inbox.isQuiet()) {
        break;
      }
      Supplier<Boolean> hasNews =
          () -> inbox.isWoken() || inbox.settled() != settled || whole.isCancelRequested();
      Workflow.await(
          Patience.untilDue(outlook),
          () -> hasNews.get() || sum(Lanes::ended) != ended || isNextDue());
      if (asked.areDone() && asked.fruitless() > 0) {
        Workflow.await(Patience.afterFruitless(asked.fruitless()), hasNews);
      }
      renewIfLong();
    }
    asked.stop();
    woken.lanes().stop();
    return SweepReport.of(progress(), null, outlook.openRequests(), false);
  }

  private void look() {
    if (inbox.takeWake()) {
      sweep();
    }
    woken.lanes().rollOver();
    asked.takeNextDue();
    try {
      outlook = ledger.outlook(new PlanRequest(input.pipeline(), Scope.REQUESTED, null).forAny());
    } catch (ActivityFailure removed) {
      Workflow.getLogger(AskedForWork.class).warn("Nothing left in {}", input.pipeline(), removed);
      outlook = NOTHING;
    }
    if (outlook.claimable() > 0) {
      asked.open(1, Integer.MAX_VALUE, null);
    }
    show();
  }

  private void sweep() {
    try {
      woken.begin();
    } catch (ActivityFailure notPlanned) {
      // The next scheduled sweep plans again, and is the one to fail for all to see.
      Workflow.getLogger(AskedForWork.class).warn("Wake-up of {}", input.pipeline(), notPlanned);
    }
  }

  private boolean isOver() {
    return outlook.claimable() == 0
        && outlook.live() == 0
        && outlook.wakeAt() == null
        && areLanesDone();
  }

  private boolean areLanesDone() {
    return asked.areDone() && woken.lanes().areDone();
  }

  private boolean isNextDue() {
    return asked.isNextDue() || woken.lanes().isNextDue();
  }

  /** Bounds the history. Nothing is carried over: the new run looks by itself. */
  private void renewIfLong() {
    if (inbox.received() >= MAX_RECEIVED || Workflow.getInfo().isContinueAsNewSuggested()) {
      Workflow.await(Workflow::isEveryHandlerFinished);
      if (!inbox.isWoken()) {
        Workflow.continueAsNew(input);
      }
    }
  }

  @Override
  public void told(LaneProgress report) {
    asked.told(report);
    woken.told(report);
  }

  @Override
  public Progress progress() {
    int completed = count(LaneProgress::completed);
    return new Progress(
        input.pipeline(),
        areLanesDone() ? "waiting" : "running",
        completed + outlook.openRequests(),
        count(LaneProgress::claimed),
        completed,
        count(LaneProgress::failed) + count(LaneProgress::parked),
        oldest());
  }

  private @Nullable String oldest() {
    return Stream.of(asked, woken.lanes())
        .map(Lanes::oldest)
        .filter(Objects::nonNull)
        .min(OpenPartitions.ORDER)
        .orElse(null);
  }

  private int count(ToIntFunction<LaneProgress> what) {
    return sum(lanes -> lanes.sum(what));
  }

  private int sum(ToIntFunction<Lanes> what) {
    return what.applyAsInt(asked) + what.applyAsInt(woken.lanes());
  }
}
