package dev.tidemark.workflows.index;

import io.temporal.api.enums.v1.ParentClosePolicy;
import io.temporal.failure.ChildWorkflowFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.ChildWorkflowOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A run of bounded length: {@value #MOST_ROUNDS} looks, of which each is a build or a pause at
 * most. What is left then, the next run of the schedule goes on with; that also starts the building
 * of a replacement again which has ended without a result.
 */
public final class ObjectsWorkflowImpl implements ObjectsWorkflow {
  private static final int MOST_ROUNDS = 100;

  /** A replacement that has caught up looks again for what the live index has got since. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private static final Duration BUSY_PAUSE = Duration.ofSeconds(5);

  private final BuildFlow flow = new BuildFlow();
  private final ObjectsInput input;
  private boolean woken;
  private int builds;
  private int failed;
  private long generation;
  private @Nullable Integer replacement;

  @WorkflowInit
  public ObjectsWorkflowImpl(ObjectsInput input) {
    this.input = input;
  }

  @Override
  public ObjectsReport run(ObjectsInput sameInput) {
    BuildRequest request = input.request();
    for (int round = 0; round < MOST_ROUNDS; round++) {
      woken = false;
      BuildDecision decision = flow.begin(request);
      // Asked once: what fails again waits for other data.
      request = new BuildRequest(input.objectType(), input.replacement(), false);
      startReplacement(decision.replacement());
      ObjectsReport end = follow(decision);
      if (end != null) {
        return end;
      }
    }
    return report(false, "there is more to do, and the next run does it");
  }

  /** Does what was decided; null where another look follows. */
  private @Nullable ObjectsReport follow(BuildDecision decision) {
    return switch (decision.kind()) {
      case BUILD -> build(decision.build());
      case UP_TO_DATE -> input.replacement() ? switchOver() : woken ? null : report(false, null);
      case BUSY -> waitFor(decision);
      case WAITS_FOR_DATA, GONE -> report(false, decision.detail());
    };
  }

  private @Nullable ObjectsReport build(@Nullable Build build) {
    String error = build == null ? "no build was begun" : flow.run(build);
    if (build == null || !error.isEmpty()) {
      failed++;
      return report(false, error);
    }
    builds++;
    generation = build.generation();
    return null;
  }

  private @Nullable ObjectsReport switchOver() {
    SwitchOutcome outcome = flow.switchOver(input.objectType());
    if (outcome.switched()) {
      return report(true, null);
    }
    Workflow.sleep(PAUSE);
    return null;
  }

  private @Nullable ObjectsReport waitFor(BuildDecision busy) {
    if (!input.replacement() && !input.asked()) {
      // Who builds looks again after it.
      return report(false, busy.detail());
    }
    Workflow.sleep(BUSY_PAUSE);
    return null;
  }

  /** Goes on beside this run and after it; where it runs already, there is nothing to do. */
  private void startReplacement(@Nullable Integer revision) {
    if (revision == null || input.replacement() || revision.equals(replacement)) {
      return;
    }
    replacement = revision;
    ObjectsWorkflow child =
        Workflow.newChildWorkflowStub(
            ObjectsWorkflow.class,
            ChildWorkflowOptions.newBuilder()
                .setWorkflowId(ObjectsIds.replacement(input.objectType(), revision))
                .setParentClosePolicy(ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON)
                .build());
    Async.function(child::run, new ObjectsInput(input.objectType(), true, input.asked()));
    try {
      Workflow.getWorkflowExecution(child).get();
    } catch (ChildWorkflowFailure runsAlready) {
      Workflow.getLogger(ObjectsWorkflowImpl.class)
          .debug("the replacement {} is being built already", revision);
    }
  }

  private ObjectsReport report(boolean switched, @Nullable String detail) {
    return new ObjectsReport(
        input.objectType(), builds, failed, generation, switched, replacement, detail);
  }

  @Override
  public void wake() {
    woken = true;
  }
}
