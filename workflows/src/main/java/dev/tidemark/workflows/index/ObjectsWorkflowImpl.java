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
 * most, and {@value #MOST_ACTIVITIES} activities before the last look. What is left then, the next
 * run of the schedule goes on with; that also starts the building of a replacement again which has
 * ended without a result.
 */
public final class ObjectsWorkflowImpl implements ObjectsWorkflow {
  private static final int MOST_ROUNDS = 100;

  /** Each leaves up to six events in the history, which may have 51,200. */
  private static final int MOST_ACTIVITIES = 500;

  private static final int ACTIVITIES_OF_BUILD = 4;

  /** A replacement that has caught up looks again for what the live index has got since. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private static final Duration BUSY_PAUSE = Duration.ofSeconds(5);

  private final BuildFlow flow = new BuildFlow();
  private final ObjectsInput input;
  private boolean woken;
  private int activities;
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
    for (int round = 0; round < MOST_ROUNDS && activities < MOST_ACTIVITIES; round++) {
      woken = false;
      BuildDecision decision = flow.begin(request);
      activities++;
      if (decision.kind() != BuildDecision.Kind.BUSY) {
        // Asked once: what fails again waits for other data.
        request = new BuildRequest(input.objectType(), input.replacement(), false);
      }
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
      case BUILD -> build(decision);
      case UP_TO_DATE ->
          input.replacement() ? switchOrPause(decision) : woken ? null : report(false, null);
      case BUSY -> waitFor(decision);
      case WAITS_FOR_DATA, GONE -> report(false, decision.detail());
    };
  }

  private @Nullable ObjectsReport build(BuildDecision decision) {
    Build build = decision.build();
    String error = build == null ? "no build was begun" : flow.run(build);
    if (build == null || !error.isEmpty()) {
      failed++;
      return report(false, error);
    }
    builds++;
    generation = build.generation();
    activities += build.datasources().size() + ACTIVITIES_OF_BUILD;
    // At once: there may be something new at each look, and never nothing.
    return input.replacement() ? switchOver(decision) : null;
  }

  private @Nullable ObjectsReport switchOrPause(BuildDecision decision) {
    ObjectsReport switched = switchOver(decision);
    if (switched == null) {
      Workflow.sleep(PAUSE);
    }
    return switched;
  }

  private @Nullable ObjectsReport switchOver(BuildDecision decision) {
    Integer revision = decision.replacement();
    activities++;
    boolean switched = revision != null && flow.switchOver(input.objectType(), revision).switched();
    return switched ? report(true, null) : null;
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
