package dev.tidemark.workflows.sweep;

import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;

/** Claims partitions and runs one activity for each, in a sliding window. Child of a sweep. */
@WorkflowInterface
public interface LaneWorkflow {
  String TYPE = "TidemarkLane";

  /**
   * The most that one lane claims: some 3,000 events, some 8,000 where other SDKs run the tasks;
   * well below every limit of a history.
   */
  int MAX_CLAIMS = 500;

  @WorkflowMethod(name = TYPE)
  LaneProgress run(LaneInput input);

  /** Something became claimable: claim again now, if there is a free slot. */
  @SignalMethod(name = "look")
  void look();

  /** Claim no more; what runs finishes. */
  @SignalMethod(name = "stop")
  void stop();
}
