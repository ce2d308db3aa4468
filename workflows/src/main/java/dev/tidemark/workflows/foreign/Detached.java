package dev.tidemark.workflows.foreign;

import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Functions;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;

/**
 * What goes on when its lane is cancelled: a lane then claims no more, and what runs finishes.
 *
 * @param scope cancels this one alone
 */
record Detached<T>(CancellationScope scope, Promise<T> promise) {

  /** Starts it. */
  static <T> Detached<T> start(Functions.Func<Promise<T>> start) {
    List<Promise<T>> started = new ArrayList<>(1);
    CancellationScope scope =
        Workflow.newDetachedCancellationScope(() -> started.add(start.apply()));
    scope.run();
    return new Detached<>(scope, started.get(0));
  }

  /** Starts it, for its promise. */
  static <T> Promise<T> run(Functions.Func<Promise<T>> start) {
    return start(start).promise();
  }
}
