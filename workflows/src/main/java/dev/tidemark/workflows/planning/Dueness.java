package dev.tidemark.workflows.planning;

import dev.tidemark.workflows.partition.Partitioning;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.Extent;
import dev.tidemark.workflows.pipeline.Integration;
import dev.tidemark.workflows.planning.PartitionFacts.Mark;
import java.time.Instant;
import java.time.Period;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rule that says whether a partition is due, and why: the one place for it in Java. The
 * ledger's claim says the same in SQL.
 *
 * <p>The reasons of a partition come in this order, and the first decides:
 *
 * <ol>
 *   <li>it is outside of what can run at all; then that is the only one
 *   <li>what holds it back
 *   <li>what makes it due: asked for, then the derived causes
 *   <li>what would make it due, if the policy were another
 *   <li>up to date, if there is nothing else
 * </ol>
 */
final class Dueness {
  private final PlanInput input;
  private final Integration integration;
  private final Map<Slice, Window> since = new HashMap<>();

  /** Null as long as no window is closed. */
  private final @Nullable Closed closed;

  private final boolean lateOnesUnderWay;

  /** What is derived from the newest closed window. */
  private record Closed(
      Window newest,
      Instant keptFrom,
      Instant acceptedFrom,
      LookbackRule lookback,
      CatchUpRule catchUp) {}

  Dueness(PlanInput input) {
    this.input = input;
    this.integration = input.definition().integration();
    input.slices().forEach(slice -> since.put(slice.slice(), slice.since()));
    this.closed =
        input.definition().extent().closedThrough(input.now()).map(this::closed).orElse(null);
    this.lateOnesUnderWay =
        integration.strategy() == Integration.Strategy.LATE_FIRST
            && input.facts().stream().anyMatch(this::isLateAndUnderWay);
  }

  private Closed closed(Window newest) {
    Partitioning partitions = input.partitions();
    Extent extent = input.definition().extent();
    return new Closed(
        newest,
        extent.keep() == null ? Instant.MIN : back(newest, extent.keep()),
        back(newest, integration.accept()),
        new LookbackRule(
            partitions, integration.lookback(), newest, input.registration().lookbackFloor()),
        new CatchUpRule(partitions, input.definition().pace().catchUp(), newest, input.facts()));
  }

  /** By the calendar, counted back from the newest closed window. */
  private Instant back(Window newest, Period period) {
    return newest.start().atZone(input.partitions().zone()).minus(period).toInstant();
  }

  /** The newest closed window, null if none is. */
  @Nullable Window closedThrough() {
    return closed == null ? null : closed.newest();
  }

  /** Every reason, never empty; see the class for their order. */
  List<Reason> reasons(Window window, Slice slice, @Nullable PartitionFacts facts) {
    Reason outside = outside(window, slice, facts);
    if (outside != null || closed == null) {
      return List.of(outside == null ? Reason.NOT_CLOSED : outside);
    }
    List<Reason> causes = causes(closed, window, slice, facts);
    List<Reason> reasons = new ArrayList<>(holds(facts));
    if (!causes.isEmpty()) {
      reasons.addAll(holdsOfDue(closed, window, slice, facts));
    }
    reasons.addAll(causes);
    reasons.addAll(reservations(closed, window, slice, facts));
    return reasons.isEmpty() ? List.of(Reason.UP_TO_DATE) : reasons;
  }

  private @Nullable Reason outside(Window window, Slice slice, @Nullable PartitionFacts facts) {
    Window first = since.get(slice);
    if (first == null) {
      return facts == null ? Reason.UNKNOWN_SLICE : Reason.NOT_EXPECTED;
    }
    if (window.compareTo(input.partitions().first()) < 0) {
      return Reason.BEFORE_START;
    }
    if (!input.partitions().contains(window)) {
      return Reason.AFTER_END;
    }
    if (window.compareTo(first) < 0) {
      return Reason.BEFORE_SINCE;
    }
    if (closed == null || window.compareTo(closed.newest()) > 0) {
      return Reason.NOT_CLOSED;
    }
    return window.start().isBefore(closed.keptFrom()) ? Reason.RETAINED_OUT : null;
  }

  /** What makes it due. */
  private List<Reason> causes(
      Closed closed, Window window, Slice slice, @Nullable PartitionFacts facts) {
    if (facts == null) {
      return List.of(Reason.MISSING);
    }
    List<Reason> causes = new ArrayList<>();
    if (isAsked(facts)) {
      causes.add(Reason.REQUESTED);
    }
    PartitionFacts.Commit commit = facts.commit();
    if (commit == null) {
      causes.add(Reason.MISSING);
    } else {
      if (facts.is(Mark.OUTPUT_LOST)) {
        causes.add(Reason.LOST_OUTPUT);
      }
      if (!integration.frozen()) {
        causes.addAll(causesOfCommitted(closed, window, slice, facts, commit));
      }
    }
    if (!causes.isEmpty() && facts.trouble().failedClaims() > 0 && !isWaiting(facts)) {
      causes.add(causes.get(0) == Reason.REQUESTED ? 1 : 0, Reason.RETRY);
    }
    return causes;
  }

  private List<Reason> causesOfCommitted(
      Closed closed,
      Window window,
      Slice slice,
      PartitionFacts facts,
      PartitionFacts.Commit commit) {
    List<Reason> causes = new ArrayList<>();
    if (isLate(window, slice, facts) && !window.start().isBefore(closed.acceptedFrom())) {
      causes.add(Reason.LATE);
    }
    if (isAskedByLookback(closed, window, commit)) {
      causes.add(Reason.LOOKBACK);
    }
    if (isStale(commit)
        && integration.onDefinitionChange() == Integration.OnDefinitionChange.RERUN) {
      causes.add(Reason.STALE_DEFINITION);
    }
    return causes;
  }

  /** What holds it back, due or not. */
  private List<Reason> holds(@Nullable PartitionFacts facts) {
    if (facts == null || facts.marks().isEmpty()) {
      return List.of();
    }
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
  private List<Reason> holdsOfDue(
      Closed closed, Window window, Slice slice, @Nullable PartitionFacts facts) {
    List<Reason> holds = new ArrayList<>();
    if (facts != null && isAsked(facts)) {
      if (isFrozenForGood(facts)) {
        holds.add(Reason.FROZEN);
      }
    } else if (facts == null ? closed.catchUp().skips(window, slice) : facts.is(Mark.SKIPPED)) {
      holds.add(Reason.SKIPPED_BY_CATCH_UP);
    }
    if (isWithoutInput(window, slice, facts)) {
      holds.add(Reason.NO_INPUT);
    }
    if (facts != null && isWaiting(facts)) {
      holds.add(Reason.WAITING_FOR_RETRY);
    }
    if (facts == null || !isAsked(facts)) {
      holds.addAll(holdsOfLiveWork(facts));
    }
    return holds;
  }

  /** What holds back what nobody asked for. */
  private List<Reason> holdsOfLiveWork(@Nullable PartitionFacts facts) {
    List<Reason> holds = new ArrayList<>();
    if (input.registration().paused()) {
      holds.add(Reason.PAUSED);
    }
    if (lateOnesUnderWay && (facts == null || facts.commit() == null)) {
      holds.add(Reason.WAITING_FOR_LATE);
    }
    return holds;
  }

  /** What would make it due, if the policy were another. */
  private List<Reason> reservations(
      Closed closed, Window window, Slice slice, @Nullable PartitionFacts facts) {
    PartitionFacts.Commit commit = facts == null ? null : facts.commit();
    if (facts == null || commit == null) {
      return List.of();
    }
    boolean late = isLate(window, slice, facts);
    boolean stale = isStale(commit);
    if (integration.frozen()) {
      return !isAsked(facts) && (late || stale || isAskedByLookback(closed, window, commit))
          ? List.of(Reason.FROZEN)
          : List.of();
    }
    List<Reason> reservations = new ArrayList<>();
    if (late && window.start().isBefore(closed.acceptedFrom())) {
      reservations.add(Reason.TOO_LATE);
    }
    if (stale && integration.onDefinitionChange() == Integration.OnDefinitionChange.ASK) {
      reservations.add(Reason.DEFINITION_ASK);
    }
    return reservations;
  }

  private static boolean isAsked(PartitionFacts facts) {
    return facts.generations().isAsked();
  }

  /** C14, C15: by versions, not by times, and only where there is a commit to compare with. */
  private boolean isLate(Window window, Slice slice, PartitionFacts facts) {
    String processed = facts.versions().processed();
    return processed != null && !processed.equals(inputVersion(window, slice, facts));
  }

  private @Nullable String inputVersion(Window window, Slice slice, PartitionFacts facts) {
    ObservedVersions observed = input.observed();
    return observed == null ? facts.versions().input() : observed.version(window, slice);
  }

  private static boolean isAskedByLookback(
      Closed closed, Window window, PartitionFacts.Commit commit) {
    return commit.closedThrough() != null
        && closed.lookback().asksFor(window, commit.closedThrough());
  }

  private boolean isStale(PartitionFacts.Commit commit) {
    return commit.definition() != null
        && !commit.definition().equals(input.registration().fingerprint());
  }

  private boolean isFrozenForGood(PartitionFacts facts) {
    return integration.frozen() && facts.commit() != null && !facts.is(Mark.OUTPUT_LOST);
  }

  private boolean isWithoutInput(Window window, Slice slice, @Nullable PartitionFacts facts) {
    ObservedVersions observed = input.observed();
    return observed == null
        ? facts != null && facts.is(Mark.NO_INPUT)
        : !observed.ready(window, slice);
  }

  /** New input ends a failure: it may well succeed now. */
  private boolean isParked(PartitionFacts facts) {
    return facts.is(Mark.PARKED) && !hasNewInput(facts);
  }

  private boolean isWaiting(PartitionFacts facts) {
    Instant next = facts.trouble().nextAttemptAt();
    Instant nextNow = facts.trouble().nextAttemptNow();
    return next != null
        && input.clock().isBefore(next)
        && (nextNow == null || input.now().isBefore(nextNow))
        && !hasNewInput(facts);
  }

  private boolean hasNewInput(PartitionFacts facts) {
    ObservedVersions observed = input.observed();
    String version = observed == null ? null : observed.version(facts.window(), facts.slice());
    return version != null && !Objects.equals(version, facts.versions().input());
  }

  /**
   * Whether windows that were never made have to wait for it under late-first (C3). One that the
   * same plan runs does not count: it goes ahead of them anyway.
   */
  private boolean isLateAndUnderWay(PartitionFacts facts) {
    if (closed == null
        || facts.commit() == null
        || !(facts.is(Mark.LIVE) || isWaiting(facts))
        || facts.is(Mark.EXCUSED)
        || isParked(facts)
        || isWithoutInput(facts.window(), facts.slice(), facts)
        || outside(facts.window(), facts.slice(), facts) != null) {
      return false;
    }
    List<Reason> causes = causes(closed, facts.window(), facts.slice(), facts);
    return causes.contains(Reason.LATE) || causes.contains(Reason.LOOKBACK);
  }
}
