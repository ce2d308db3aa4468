package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.ledger.LedgerActivities;
import dev.tidemark.workflows.ledger.Outlook;
import dev.tidemark.workflows.ledger.PlanRequest;
import dev.tidemark.workflows.ledger.Scope;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * The work that people asked for, until nothing of it is left. What is left is in the ledger, so
 * that this workflow remembers nothing: it looks, runs what it finds, sleeps until there may be
 * more, and ends by itself. A wake-up is a pass over everything, as a scheduled sweep is.
 */
final class AskedForWork implements SweepMode {
  private static final int MAX_RECEIVED = 500;
  private static final Duration SHORTEST_SLEEP = Duration.ofSeconds(1);
  private static final Duration LONGEST_SLEEP = Duration.ofHours(1);
  private static final int MAX_DOUBLINGS = 6;

  private final LedgerActivities ledger = ActivityPolicies.ledger();
  private final SweepInput input;
  private final Inbox inbox;
  private final Lanes asked;
  private final Pass woken;
  private Outlook outlook = new Outlook(0, 0, 0, 0, null);

  /** Looks in a row that saw something to claim and claimed nothing. */
  private int fruitless;

  AskedForWork(SweepInput input, Inbox inbox) {
    this.input = input;
    this.inbox = inbox;
    this.asked = new Lanes(input, Scope.REQUESTED);
    this.woken = new Pass(input);
  }

  @Override
  public SweepReport run(CancellationScope whole) {
    boolean over = false;
    while (!over && !whole.isCancelRequested()) {
      int seen = inbox.settled();
      if (inbox.takeWake()) {
        sweep();
      }
      woken.lanes().rollOver();
      look();
      // Nothing may come between this and the end: a message that arrives now is seen, or makes the
      // server refuse the end and run this task again with it.
      over = isOver() && inbox.settled() == seen && inbox.isQuiet();
      if (!over) {
        sleep(seen, whole);
        renewIfLong();
      }
    }
    asked.stop();
    woken.lanes().stop();
    return report();
  }

  private void sweep() {
    try {
      woken.begin();
    } catch (ActivityFailure notPlanned) {
      // The next scheduled sweep plans again, and is the one to fail for all to see.
      Workflow.getLogger(AskedForWork.class).warn("Wake-up of {}", input.pipeline(), notPlanned);
    }
  }

  private void look() {
    try {
      outlook = ledger.outlook(new PlanRequest(input.pipeline(), Scope.REQUESTED, null));
    } catch (ActivityFailure removed) {
      Workflow.getLogger(AskedForWork.class).warn("Nothing left in {}", input.pipeline(), removed);
      outlook = new Outlook(0, 0, 0, 0, null);
    }
    if (outlook.claimable() > 0) {
      asked.open(1, Integer.MAX_VALUE, null);
    }
    show();
  }

  private boolean isOver() {
    return outlook.claimable() == 0
        && outlook.live() == 0
        && outlook.wakeAt() == null
        && asked.areDone()
        && woken.lanes().areDone();
  }

  private void sleep(int seen, CancellationScope whole) {
    Supplier<Boolean> hasNews =
        () -> inbox.isWoken() || inbox.settled() != seen || whole.isCancelRequested();
    int claimed = claimed();
    int ended = ended();
    Workflow.await(
        pause(),
        () -> hasNews.get() || ended() != ended || asked.isNextDue() || woken.lanes().isNextDue());
    fruitless = outlook.claimable() > 0 && claimed() == claimed ? fruitless + 1 : 0;
    if (fruitless > 0 && ended() != ended) {
      // The ledger sees something to claim and gives nothing: look less and less often.
      Workflow.await(shortestSleep(), hasNews);
    }
  }

  /** Until the ledger says that something may be due; somebody else may settle it before. */
  private Duration pause() {
    Instant wakeAt = outlook.wakeAt();
    if (wakeAt == null) {
      return LONGEST_SLEEP;
    }
    Duration until = Duration.between(Instant.ofEpochMilli(Workflow.currentTimeMillis()), wakeAt);
    Duration atLeast = shortestSleep();
    return until.compareTo(atLeast) < 0
        ? atLeast
        : until.compareTo(LONGEST_SLEEP) > 0 ? LONGEST_SLEEP : until;
  }

  private Duration shortestSleep() {
    return SHORTEST_SLEEP.multipliedBy(1L << Math.min(fruitless, MAX_DOUBLINGS));
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

  private int claimed() {
    return asked.sum(LaneProgress::claimed);
  }

  private int ended() {
    return asked.ended() + woken.lanes().ended();
  }

  @Override
  public void told(LaneProgress report) {
    asked.told(report);
    woken.told(report);
  }

  @Override
  public Progress progress() {
    boolean idle = asked.areDone() && woken.lanes().areDone();
    int completed = sum(LaneProgress::completed);
    return new Progress(
        input.pipeline(),
        idle ? "waiting" : "running",
        completed + outlook.openRequests(),
        sum(LaneProgress::claimed),
        completed,
        sum(LaneProgress::failed) + sum(LaneProgress::parked));
  }

  private int sum(ToIntFunction<LaneProgress> count) {
    return asked.sum(count) + woken.lanes().sum(count);
  }

  private SweepReport report() {
    Progress done = progress();
    return new SweepReport(
        input.pipeline(),
        null,
        done.planned(),
        done.claimed(),
        done.completed(),
        done.failed(),
        outlook.openRequests(),
        false);
  }
}
