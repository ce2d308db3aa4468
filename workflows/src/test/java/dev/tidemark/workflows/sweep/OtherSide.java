package dev.tidemark.workflows.sweep;

import dev.tidemark.workflows.foreign.ForeignInput;
import dev.tidemark.workflows.foreign.ForeignResult;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A worker of somebody else, on a task queue of its own. */
@ActivityInterface
public interface OtherSide {
  String TYPE = "Summarise";
  String TASK_QUEUE = "elsewhere";

  /** Runs one partition. */
  @ActivityMethod(name = TYPE)
  @Nullable ForeignResult summarise(ForeignInput input);

  /** Fails at the first attempt where it is told so. */
  final class Tasks implements OtherSide {
    final Set<String> failing = ConcurrentHashMap.newKeySet();

    @Override
    public @Nullable ForeignResult summarise(ForeignInput input) {
      if (failing.remove(input.partition())) {
        throw ApplicationFailure.newFailure("cannot read it", "IOError");
      }
      return input.partition().equals("p0") ? null : new ForeignResult(List.of("a.csv"), 3L);
    }
  }

  /** The same as a workflow. */
  @WorkflowInterface
  interface Flow {
    String TYPE = "SummariseInSteps";

    /** Runs one partition; one called {@code stuck} goes on until it is cancelled. */
    @WorkflowMethod(name = TYPE)
    ForeignResult run(ForeignInput input);
  }

  /** Its implementation. */
  final class FlowImpl implements Flow {
    @Override
    public ForeignResult run(ForeignInput input) {
      if (input.partition().equals("p2")) {
        Workflow.await(() -> false);
      }
      return new ForeignResult(null, 1L);
    }
  }
}
