package dev.tidemark.worker.benchmark;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Async;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The baseline: activities that do nothing, in a sliding window, and nothing else. */
@WorkflowInterface
public interface BareFanOut {

  /** Runs that many activities, never more at once than the window. */
  @WorkflowMethod
  void run(int activities, int window);

  /** An activity that does nothing. */
  @ActivityInterface
  interface Nothing {
    @ActivityMethod(name = "Nothing")
    void run();
  }

  /** The workflow. */
  final class Impl implements BareFanOut {
    private final Nothing nothing =
        Workflow.newActivityStub(
            Nothing.class,
            ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofMinutes(1)).build());
    private int running;

    @Override
    public void run(int activities, int window) {
      for (int i = 0; i < activities; i++) {
        Workflow.await(() -> running < window);
        running++;
        Async.procedure(nothing::run).thenApply(this::ended);
      }
      Workflow.await(() -> running == 0);
    }

    private @Nullable Void ended(@Nullable Void nothing) {
      running--;
      return null;
    }
  }
}
