package dev.tidemark.worker.process;

import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.ObjectsIds;
import dev.tidemark.workflows.index.ObjectsInput;
import dev.tidemark.workflows.index.ObjectsWorkflow;
import io.temporal.api.enums.v1.ScheduleOverlapPolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.schedules.Schedule;
import io.temporal.client.schedules.ScheduleActionStartWorkflow;
import io.temporal.client.schedules.ScheduleIntervalSpec;
import io.temporal.client.schedules.SchedulePolicy;
import io.temporal.client.schedules.ScheduleSpec;
import java.util.List;

/** The Temporal Schedules that keep object types up to date. A missed tick is harmless. */
public final class ObjectSchedules {
  private final String taskQueue;
  private final TemporalSchedules schedules;

  /**
   * @param taskQueue where the workers that build them poll
   */
  public ObjectSchedules(WorkflowClient client, String taskQueue) {
    this.taskQueue = taskQueue;
    this.schedules = new TemporalSchedules(client);
  }

  /** Creates or updates it; a paused one stays paused. */
  public void apply(ObjectType type) {
    String id = ObjectsIds.live(type.name());
    schedules.createOrUpdate(id, schedule(id, type));
  }

  /** Removes it; a build that runs goes on, and finds that its type is gone. */
  public void remove(String type) {
    schedules.delete(ObjectsIds.live(type));
  }

  /** A tick that finds the one before still at work is left out: that looks again by itself. */
  private Schedule schedule(String id, ObjectType type) {
    return Schedule.newBuilder()
        .setAction(
            ScheduleActionStartWorkflow.newBuilder()
                .setWorkflowType(ObjectsWorkflow.TYPE)
                .setArguments(new ObjectsInput(type.name(), false, false))
                .setOptions(
                    WorkflowOptions.newBuilder()
                        .setWorkflowId(id)
                        .setTaskQueue(taskQueue)
                        // Both: with one alone the SDK cannot read the schedule back.
                        .setStaticSummary("builds of " + type.name())
                        .setStaticDetails("Keeps object type " + type.name() + " up to date.")
                        .build())
                .build())
        .setSpec(
            ScheduleSpec.newBuilder()
                .setIntervals(List.of(new ScheduleIntervalSpec(type.rhythm().every())))
                .build())
        .setPolicy(
            SchedulePolicy.newBuilder()
                .setOverlap(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP)
                .setCatchupWindow(TemporalSchedules.CATCH_UP)
                .build())
        .build();
  }
}
