package dev.tidemark.workflows.index;

import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/**
 * Keeps an index of an object type up to date: builds until nothing is new, and ends. The live
 * index and one that is to replace it have runs of their own, which do not wait for each other
 * (D9).
 */
@WorkflowInterface
public interface ObjectsWorkflow {
  String TYPE = "TidemarkObjects";

  @WorkflowMethod(name = TYPE)
  ObjectsReport run(ObjectsInput input);

  /** A source has committed, or a person asks: look again before ending. */
  @SignalMethod(name = "wake")
  void wake();
}
