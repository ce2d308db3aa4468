package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.ledger.LedgerActivities;
import dev.tidemark.workflows.ledger.PlanRequest;
import dev.tidemark.workflows.ledger.Scope;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The lanes of one scope: one claims, the full ones before it drain on their own. */
final class Lanes {
  private final LedgerActivities ledger = ActivityPolicies.ledger();
  private final SweepInput input;
  private final PlanRequest request;
  private final Map<String, LaneProgress> progress = new TreeMap<>();
  private @Nullable Lane claiming;
  private int running;
  private int ended;
  private int fruitless;
  private boolean nextDue;
  private int opened;
  private int parallel = 1;
  private int budget;
  private @Nullable Instant deadline;

  Lanes(SweepInput input, Scope scope) {
    this.input = input;
    this.request = new PlanRequest(input.pipeline(), scope, input.now());
  }

  /** Allows that many claims from now on, and has a lane look for them. */
  void open(int parallel, int budget, @Nullable Instant deadline) {
    this.opened++;
    this.parallel = parallel;
    this.budget = budget;
    this.deadline = deadline;
    lookOrStart();
  }

  /** Whether a lane is full, or a draining one has freed slots, and the sweep may go on. */
  boolean isNextDue() {
    Instant until = deadline;
    return nextDue
        && budget > 0
        && (until == null || Workflow.currentTimeMillis() < until.toEpochMilli());
  }

  /** Whether {@link #isNextDue}; not again until something more happened. */
  boolean takeNextDue() {
    boolean was = isNextDue();
    nextDue = false;
    return was;
  }

  /** Starts the next lane if there is something for it; one that claims is told to look. */
  void rollOver() {
    if (takeNextDue() && (claiming != null || ledger.outlook(request.forAny()).claimable() > 0)) {
      lookOrStart();
    }
  }

  private void lookOrStart() {
    Lane current = claiming;
    if (current == null) {
      startNext();
    } else {
      current.look();
    }
  }

  private void startNext() {
    int maxClaims = Math.min(budget, LaneWorkflow.MAX_CLAIMS);
    Lane lane = Lane.of(input, nextId());
    budget -= maxClaims;
    nextDue = false;
    running++;
    claiming = lane;
    progress.put(lane.id(), LaneProgress.none(lane.id()));
    lane.start(
            new LaneInput(
                input.pipeline(),
                request.scope(),
                input.now(),
                parallel,
                maxClaims,
                deadline,
                sweep()))
        .handle((result, lost) -> ended(lane.id(), result));
    lane.awaitStart();
  }

  /** Each opening is a sweep of its own; asked-for work goes on across all of them. */
  private @Nullable String sweep() {
    return request.scope() == Scope.REQUESTED
        ? null
        : "%s/%s/%d"
            .formatted(
                Workflow.getInfo().getWorkflowId(),
                Workflow.getInfo().getOriginalExecutionRunId(),
                opened);
  }

  /** Readable, and unique across the runs of one workflow id. */
  private String nextId() {
    return "%s/lane-%.8s-%s-%d"
        .formatted(
            Workflow.getInfo().getWorkflowId(),
            Workflow.getInfo().getOriginalExecutionRunId(),
            request.scope().name().toLowerCase(Locale.ROOT),
            progress.size() + 1);
  }

  /** Reports may overtake each other; one of a lane that is not known belongs to an earlier run. */
  void told(LaneProgress report) {
    LaneProgress known = progress.get(report.lane());
    if (known == null || report.steps() < known.steps()) {
      return;
    }
    progress.put(report.lane(), report);
    boolean isFull = report.full() && stopsClaiming(report.lane());
    boolean freesSlots = !isClaiming(report.lane()) && report.ends() > known.ends();
    nextDue |= isFull || freesSlots;
  }

  private @Nullable Void ended(String id, @Nullable LaneProgress result) {
    if (result != null) {
      told(result);
    }
    stopsClaiming(id);
    running--;
    ended++;
    LaneProgress last = progress.getOrDefault(id, LaneProgress.none(id));
    fruitless = last.claimed() == 0 ? fruitless + 1 : 0;
    return null;
  }

  private boolean isClaiming(String id) {
    return claiming != null && claiming.id().equals(id);
  }

  /** Returns whether it was the one that claims. */
  private boolean stopsClaiming(String id) {
    boolean was = isClaiming(id);
    if (was) {
      claiming = null;
    }
    return was;
  }

  /** No lane of this scope claims any more; what runs finishes. */
  void stop() {
    budget = 0;
    Lane current = claiming;
    if (current != null) {
      current.stop();
    }
  }

  boolean areDone() {
    return running == 0;
  }

  /** Lanes that have ended: a change means that it is time to look again. */
  int ended() {
    return ended;
  }

  /** Lanes in a row that ended without a claim. */
  int fruitless() {
    return fruitless;
  }

  /** The oldest partition that a lane took and has not committed, or null. */
  @Nullable String oldest() {
    return progress.values().stream()
        .map(LaneProgress::oldest)
        .filter(Objects::nonNull)
        .min(OpenPartitions.ORDER)
        .orElse(null);
  }

  int sum(ToIntFunction<LaneProgress> count) {
    return progress.values().stream().mapToInt(count).sum();
  }
}
