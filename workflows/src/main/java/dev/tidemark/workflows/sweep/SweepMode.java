package dev.tidemark.workflows.sweep;

import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Workflow;

/** What a workflow of type TidemarkSweep is: one pass, or the work that people asked for. */
interface SweepMode {

  /**
   * Runs to its end.
   *
   * @param whole the workflow's own scope: once it is cancelled, nothing more is claimed
   */
  SweepReport run(CancellationScope whole);

  /** A lane says how far it is. */
  void told(LaneProgress report);

  Progress progress();

  /** Shows the progress in words in Temporal's UI. */
  default void show() {
    Progress now = progress();
    Workflow.setCurrentDetails(
        "%s: %d of %d done, %d failed%s"
            .formatted(
                now.state(),
                now.completed(),
                now.planned(),
                now.failed(),
                OpenPartitions.oldest(now.oldest())));
  }
}
