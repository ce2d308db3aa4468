package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.pipeline.Integration.OnDefinitionChange;
import dev.tidemark.workflows.pipeline.Limits;
import dev.tidemark.workflows.planning.PartitionFacts.Commit;
import dev.tidemark.workflows.planning.PartitionFacts.Mark;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rule that says whether a partition is due, and why: the one place for it in Java. The
 * ledger's claim says the same in SQL.
 *
 * <p>The reasons of a partition come in this order, and the first decides:
 *
 * <ol>
 *   <li>why it is not in the expected set; then that is the only one
 *   <li>what holds it back
 *   <li>what makes it due: asked for, then the derived causes
 *   <li>what would make it due, if the policy were another
 *   <li>up to date, if there is nothing else; that its input is gone is said after it, since a
 *       commit stays what it is without
 * </ol>
 */
final class Dueness {
  private final PlanInput input;
  private final Integration integration;
  private final Inputs inputs;
  private final ExpectedExtent extent;

  /** Null as long as no window is closed. */
  private final @Nullable Moment moment;

  /** What closed after it waits for late ones under late-first. */
  private final Instant lateSince;

  /** Null where windows do not build on each other. */
  private final @Nullable Chains chains;

  /** What the newest closed window means for those before it. */
  private record Moment(Instant acceptedFrom, LookbackRule lookback, CatchUpRule catchUp) {}

  Dueness(PlanInput input) {
    this.input = input;
    this.integration = input.definition().integration();
    this.inputs = new Inputs(input.observed());
    this.extent = new ExpectedExtent(input.definition().extent(), input.slices(), input.now());
    this.moment = extent.closedThrough() == null ? null : moment(extent.closedThrough());
    this.chains = integration.stateful() ? chains() : null;
    this.lateSince =
        chains == null && integration.strategy() == Integration.Strategy.LATE_FIRST
            ? input.facts().stream()
                .filter(this::isLateAndUnderWay)
                .map(this::becameLate)
                .min(Instant::compareTo)
                .orElse(Instant.MAX)
            : Instant.MAX;
  }

  private Chains chains() {
    FactsIndex facts = FactsIndex.of(input.facts());
    Window closed = extent.closedThrough();
    List<Window> windows =
        closed == null
            ? List.of()
            : input.partitions().windows(input.partitions().first().start(), closed.end());
    return new Chains(
        (window, slice, link) -> reasons(window, slice, facts.get(window, slice), link), windows);
  }

  private Moment moment(Window closed) {
    Partitioning partitions = input.partitions();
    return new Moment(
        closed.start().atZone(partitions.zone()).minus(integration.accept()).toInstant(),
        new LookbackRule(
            partitions, integration.lookback(), closed, input.registration().lookbackFloor()),
        new CatchUpRule(partitions, input.definition().pace().catchUp(), closed, input.facts()));
  }

  /** The newest closed window, null if none is. */
  @Nullable Window closedThrough() {
    return extent.closedThrough();
  }

  /** Every reason, never empty; see the class for their order. */
  List<Reason> reasons(Window window, Slice slice, @Nullable PartitionFacts facts) {
    return reasons(window, slice, facts, link(window, slice));
  }

  private Chains.Link link(Window window, Slice slice) {
    return chains == null ? Chains.Link.NONE : chains.link(window, slice);
  }

  /** The window that has to be settled before this one may run, whether it can be or not. */
  @Nullable Window waitsFor(Window window, Slice slice) {
    return chains == null ? null : chains.waitsFor(window, slice);
  }

  private List<Reason> reasons(
      Window window, Slice slice, @Nullable PartitionFacts facts, Chains.Link link) {
    Reason against = extent.reasonAgainst(window, slice, facts != null);
    if (against != null) {
      return List.of(against);
    }
    List<Reason> reasons = new ArrayList<>();
    List<Reason> causes = causes(facts, link.rebuilt());
    if (facts != null) {
      reasons.addAll(holds(facts));
    }
    if (!causes.isEmpty()) {
      reasons.addAll(holdsOfDue(window, slice, facts));
      if (link.blockedBy() != null) {
        reasons.add(Reason.WAITING_FOR_PREDECESSOR);
      }
    }
    reasons.addAll(causes);
    if (facts != null && facts.commit() != null) {
      reasons.addAll(reservations(facts, facts.commit()));
    }
    if (reasons.isEmpty()) {
      reasons.add(Reason.UP_TO_DATE);
      addInputHold(reasons, window, slice, facts);
    }
    return reasons;
  }

  /**
   * Why a claim would not take it now, though it is due: the caps on what runs at once; or null.
   */
  @Nullable Reason capAgainst(Slice slice, @Nullable PartitionFacts facts, LiveClaims live) {
    Limits limits = input.definition().pace().limits();
    String account = account(slice);
    Integer perAccount = limits.perAccountParallel();
    if (account != null
        && (isLeftAlone(slice) || (perAccount != null && live.ofAccount(account) >= perAccount))) {
      return Reason.ACCOUNT_LIMIT;
    }
    if (live.total() < limits.parallel()) {
      return null;
    }
    // One at a time has no shares: the classes take turns.
    boolean isShared =
        limits.parallel() > 1 && causes(facts, false).equals(List.of(Reason.REQUESTED));
    return isShared && live.backfill() >= limits.parallel() - limits.liveShare()
        ? Reason.BACKFILL_SHARE
        : Reason.LIMIT_REACHED;
  }

  private @Nullable String account(Slice slice) {
    String dimension = input.definition().extent().account();
    return dimension == null ? null : slice.values().get(dimension);
  }

  private boolean isLeftAlone(Slice slice) {
    String account = account(slice);
    return account != null && input.registration().leftAlone().contains(account);
  }

  private boolean isRefused(Slice slice) {
    String account = account(slice);
    return account != null && input.registration().refused().contains(account);
  }

  /**
   * What makes it due.
   *
   * @param rebuilt the window before it, on which it builds, is made again first
   */
  private List<Reason> causes(@Nullable PartitionFacts facts, boolean rebuilt) {
    if (facts == null) {
      return List.of(Reason.MISSING);
    }
    List<Reason> causes = new ArrayList<>();
    if (isAsked(facts)) {
      causes.add(Reason.REQUESTED);
    }
    Commit commit = facts.commit();
    if (commit == null) {
      causes.add(Reason.MISSING);
    } else {
      if (facts.is(Mark.OUTPUT_LOST)) {
        causes.add(Reason.LOST_OUTPUT);
      }
      if (!integration.frozen()) {
        causes.addAll(causesOfCommitted(facts, commit, rebuilt));
      }
    }
    if (!causes.isEmpty() && isRetried(facts)) {
      causes.add(causes.get(0) == Reason.REQUESTED ? 1 : 0, Reason.RETRY);
    }
    return causes;
  }

  /** It failed, and neither a pause nor a person is waited for. */
  private boolean isRetried(PartitionFacts facts) {
    return facts.trouble().failedClaims() > 0 && !isWaiting(facts) && !isParked(facts);
  }

  private List<Reason> causesOfCommitted(PartitionFacts facts, Commit commit, boolean rebuilt) {
    List<Reason> causes = new ArrayList<>();
    if (inputs.isLate(facts) && isAccepted(facts.window())) {
      causes.add(Reason.LATE);
    }
    if (isAskedByLookback(facts.window(), commit)) {
      causes.add(Reason.LOOKBACK);
    }
    if ((rebuilt || isChained(commit)) && isAccepted(facts.window())) {
      causes.add(Reason.CHAIN);
    }
    if (isStale(commit) && integration.onDefinitionChange() == OnDefinitionChange.RERUN) {
      causes.add(Reason.STALE_DEFINITION);
    }
    return causes;
  }

  /** What holds it back, due or not. */
  private List<Reason> holds(PartitionFacts facts) {
    List<Reason> holds = new ArrayList<>();
    if (facts.is(Mark.LIVE)) {
      holds.add(Reason.RUNNING);
    }
    if (facts.is(Mark.EXCUSED)) {
      holds.add(Reason.EXCUSED);
    }
    if (isParked(facts)) {
      holds.add(Reason.PARKED);
    }
    return holds;
  }

  /** What holds it back though it is due. */
  private List<Reason> holdsOfDue(Window window, Slice slice, @Nullable PartitionFacts facts) {
    List<Reason> holds = new ArrayList<>();
    if (facts != null && isAsked(facts) && isFrozen(facts)) {
      holds.add(Reason.FROZEN);
    }
    if (isSkipped(window, facts)) {
      holds.add(Reason.SKIPPED_BY_CATCH_UP);
    }
    addInputHold(holds, window, slice, facts);
    if (facts != null && isWaiting(facts)) {
      holds.add(Reason.WAITING_FOR_RETRY);
    }
    if (facts == null || !isAsked(facts)) {
      holds.addAll(holdsOfLiveWork(window, facts));
    }
    return holds;
  }

  private void addInputHold(
      List<Reason> reasons, Window window, Slice slice, @Nullable PartitionFacts facts) {
    Reason hold = inputs.hold(window, slice, facts);
    if (hold != null) {
      reasons.add(hold);
    }
  }

  /** What holds back what nobody asked for. */
  private List<Reason> holdsOfLiveWork(Window window, @Nullable PartitionFacts facts) {
    List<Reason> holds = new ArrayList<>();
    if (input.registration().paused()) {
      holds.add(Reason.PAUSED);
    }
    if ((facts == null || facts.commit() == null) && closesAt(window).isAfter(lateSince)) {
      holds.add(Reason.WAITING_FOR_LATE);
    }
    return holds;
  }

  private Instant closesAt(Window window) {
    return input.definition().extent().closure().closesAt(window, input.partitions().zone());
  }

  /** What would make a committed one due, if the policy were another. */
  private List<Reason> reservations(PartitionFacts facts, Commit commit) {
    boolean late = inputs.isLate(facts);
    boolean stale = isStale(commit);
    List<Reason> reservations = new ArrayList<>();
    if (integration.frozen()) {
      if (!isAsked(facts)
          && (late || stale || isChained(commit) || isAskedByLookback(facts.window(), commit))) {
        reservations.add(Reason.FROZEN);
      }
      return reservations;
    }
    if ((late || isChained(commit)) && !isAccepted(facts.window())) {
      reservations.add(Reason.TOO_LATE);
    }
    if (stale && integration.onDefinitionChange() == OnDefinitionChange.ASK) {
      reservations.add(Reason.DEFINITION_ASK);
    }
    return reservations;
  }

  private static boolean isAsked(PartitionFacts facts) {
    return facts.generations().isAsked();
  }

  /** C21: so far back, by the calendar, from the newest closed window. */
  private boolean isAccepted(Window window) {
    return moment != null && !window.start().isBefore(moment.acceptedFrom());
  }

  private boolean isAskedByLookback(Window window, Commit commit) {
    return moment != null
        && commit.closedThrough() != null
        && moment.lookback().asksFor(window, commit.closedThrough());
  }

  /** C20: whatever the predecessor's new content is, even if it is the same. */
  private boolean isChained(Commit commit) {
    return integration.stateful() && commit.rebuiltBefore();
  }

  private boolean isStale(Commit commit) {
    return commit.definition() != null
        && !commit.definition().equals(input.registration().fingerprint());
  }

  /** What is frozen is not made again, but a lost output still heals. */
  private boolean isFrozen(PartitionFacts facts) {
    return integration.frozen() && facts.commit() != null && !facts.is(Mark.OUTPUT_LOST);
  }

  private boolean isSkipped(Window window, @Nullable PartitionFacts facts) {
    return facts == null
        ? moment != null && moment.catchUp().skips(window)
        : facts.is(Mark.SKIPPED) && !isAsked(facts);
  }

  private boolean isParked(PartitionFacts facts) {
    return facts.is(Mark.PARKED) && !inputs.isNew(facts);
  }

  /** By the ledger's clock, or by a now given by hand on its own; new input ends the wait. */
  private boolean isWaiting(PartitionFacts facts) {
    Instant next = facts.trouble().nextAttemptAt();
    Instant nextNow = facts.trouble().nextAttemptNow();
    return next != null
        && input.clock().isBefore(next)
        && (nextNow == null || input.now().isBefore(nextNow))
        && !inputs.isNew(facts);
  }

  /**
   * Whether windows that were never made have to wait for it under late-first (C3). One that the
   * same plan runs does not count: it goes ahead of them anyway; nor does one of an account whose
   * destination has refused, until it accepts again.
   */
  private boolean isLateAndUnderWay(PartitionFacts facts) {
    if (!(facts.is(Mark.LIVE) || isWaiting(facts))
        || facts.commit() == null
        || facts.is(Mark.EXCUSED)
        || isParked(facts)
        || isRefused(facts.slice())
        || inputs.hold(facts.window(), facts.slice(), facts) != null
        || extent.reasonAgainst(facts.window(), facts.slice(), true) != null) {
      return false;
    }
    List<Reason> causes = causes(facts, false);
    return causes.contains(Reason.LATE) || causes.contains(Reason.LOOKBACK);
  }

  /**
   * When it became late; at all times where it is due by lookback, which comes with the closing
   * itself, and where a now given by hand cannot be compared with the ledger's clock.
   */
  private Instant becameLate(PartitionFacts facts) {
    Instant seen = facts.versions().inputSeen();
    boolean comparable = input.now().equals(input.clock());
    return !comparable || seen == null || causes(facts, false).contains(Reason.LOOKBACK)
        ? Instant.MIN
        : seen;
  }
}
