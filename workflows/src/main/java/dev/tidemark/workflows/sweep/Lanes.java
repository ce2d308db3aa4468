package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.ledger.LedgerActivities;
import dev.tidemark.workflows.ledger.PlanRequest;
import dev.tidemark.workflows.ledger.Scope;
import io.temporal.api.enums.v1.ParentClosePolicy;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.ChildWorkflowOptions;
import io.temporal.workflow.Functions;
import io.temporal.workflow.SignalExternalWorkflowException;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The lanes of one scope: one claims, the full ones before it drain on their own. They are
 * abandoned when the sweep ends, never ended with it.
 */
final class Lanes {
  private final LedgerActivities ledger = ActivityPolicies.ledger();
  private final SweepInput input;
  private final Scope scope;
  private final PlanRequest request;
  private final Map<String, LaneProgress> progress = new TreeMap<>();
  private @Nullable Claiming claiming;
  private int running;
  private int ended;
  private int fruitless;
  private int parallel = 1;
  private int budget;
  private boolean nextDue;
  private @Nullable Instant deadline;

  private record Claiming(String id, LaneWorkflow lane) {}

  Lanes(SweepInput input, Scope scope) {
    this.input = input;
    this.scope = scope;
    this.request = new PlanRequest(input.pipeline(), scope, input.now());
  }

  /** Allows that many claims from now on, and starts a lane for them unless one claims already. */
  void open(int parallel, int budget, @Nullable Instant deadline) {
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

  /** Starts the next lane if there is something for it; one that claims is told to look. */
  void rollOver() {
    if (takeNextDue() && (claiming != null || ledger.outlook(request).claimable() > 0)) {
      lookOrStart();
    }
  }

  /** Whether {@link #isNextDue}; not again until something more happened. */
  boolean takeNextDue() {
    boolean was = isNextDue();
    nextDue = false;
    return was;
  }

  private void lookOrStart() {
    Claiming current = claiming;
    if (current == null) {
      startNext();
    } else {
      tell(current.lane()::look);
    }
  }

  private void startNext() {
    int maxClaims = Math.min(budget, LaneWorkflow.MAX_CLAIMS);
    String id = laneId();
    LaneWorkflow lane = Workflow.newChildWorkflowStub(LaneWorkflow.class, options(id));
    LaneInput laneInput =
        new LaneInput(input.pipeline(), scope, input.now(), parallel, maxClaims, deadline);
    budget -= maxClaims;
    nextDue = false;
    running++;
    claiming = new Claiming(id, lane);
    progress.put(id, new LaneProgress(id, 0, 0, 0, 0, false));
    Async.function(lane::run, laneInput).handle((result, lost) -> ended(id, result));
    try {
      // A lane that has not started would not be abandoned, but forgotten.
      Workflow.getWorkflowExecution(lane).get();
    } catch (TemporalFailure notStarted) {
      Workflow.getLogger(Lanes.class).warn("{} did not start", id, notStarted);
    }
  }

  /** Reports may overtake each other, and the one that says full starts the next lane. */
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

  /** No lane of this scope claims any more; what runs finishes. */
  void stop() {
    budget = 0;
    Claiming current = claiming;
    if (current != null) {
      tell(current.lane()::stop);
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

  int sum(ToIntFunction<LaneProgress> count) {
    return progress.values().stream().mapToInt(count).sum();
  }

  private static void tell(Functions.Proc message) {
    try {
      message.apply();
    } catch (SignalExternalWorkflowException justEnded) {
      Workflow.getLogger(Lanes.class).debug("A lane ended before it was told", justEnded);
    }
  }

  private @Nullable Void ended(String id, @Nullable LaneProgress result) {
    if (result != null) {
      told(result);
    }
    stopsClaiming(id);
    running--;
    ended++;
    fruitless = known(id).claimed() == 0 ? fruitless + 1 : 0;
    return null;
  }

  private LaneProgress known(String id) {
    return progress.getOrDefault(id, new LaneProgress(id, 0, 0, 0, 0, false));
  }

  /** Returns whether it was the one that claims. */
  private boolean stopsClaiming(String id) {
    boolean was = isClaiming(id);
    if (was) {
      claiming = null;
    }
    return was;
  }

  private boolean isClaiming(String id) {
    return claiming != null && claiming.id().equals(id);
  }

  /** Readable, and unique across the runs of one workflow id. */
  private String laneId() {
    return "%s/lane-%.8s-%s-%d"
        .formatted(
            Workflow.getInfo().getWorkflowId(),
            Workflow.getInfo().getOriginalExecutionRunId(),
            scope.name().toLowerCase(Locale.ROOT),
            progress.size() + 1);
  }

  private ChildWorkflowOptions options(String id) {
    return ChildWorkflowOptions.newBuilder()
        .setWorkflowId(id)
        .setParentClosePolicy(ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON)
        .setTypedSearchAttributes(Attributes.forChild(input.pipeline(), input.trigger()))
        .build();
  }
}
