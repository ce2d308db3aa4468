package dev.tidemark.worker.process;

import dev.tidemark.workflows.index.ObjectType;
import dev.tidemark.workflows.index.ObjectsIds;
import dev.tidemark.workflows.index.ObjectsInput;
import dev.tidemark.workflows.index.ObjectsWorkflow;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.ScheduleOverlapPolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.schedules.Schedule;
import io.temporal.client.schedules.ScheduleActionStartWorkflow;
import io.temporal.client.schedules.ScheduleAlreadyRunningException;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleClientOptions;
import io.temporal.client.schedules.ScheduleException;
import io.temporal.client.schedules.ScheduleIntervalSpec;
import io.temporal.client.schedules.ScheduleOptions;
import io.temporal.client.schedules.SchedulePolicy;
import io.temporal.client.schedules.ScheduleSpec;
import io.temporal.client.schedules.ScheduleUpdate;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Temporal Schedules that keep object types up to date. A missed tick is harmless. */
public final class ObjectSchedules {
  private static final Logger LOG = LoggerFactory.getLogger(ObjectSchedules.class);
  private static final Duration CATCH_UP = Duration.ofMinutes(10);

  private final String taskQueue;
  private final ScheduleClient schedules;

  /**
   * @param taskQueue where the workers that build them poll
   */
  public ObjectSchedules(WorkflowClient client, String taskQueue) {
    this.taskQueue = taskQueue;
    this.schedules =
        ScheduleClient.newInstance(
            client.getWorkflowServiceStubs(),
            ScheduleClientOptions.newBuilder()
                .setNamespace(client.getOptions().getNamespace())
                .setDataConverter(client.getOptions().getDataConverter())
                .setIdentity(client.getOptions().getIdentity())
                .build());
  }

  /** Creates or updates it; a paused one stays paused. */
  public void apply(ObjectType type) {
    String id = ObjectsIds.live(type.name());
    Schedule wanted = schedule(id, type);
    try {
      schedules.createSchedule(id, wanted, ScheduleOptions.newBuilder().build());
    } catch (ScheduleAlreadyRunningException e) {
      LOG.debug("schedule {} exists and is updated", id);
      schedules
          .getHandle(id)
          .update(
              input ->
                  new ScheduleUpdate(
                      Schedule.newBuilder(wanted)
                          .setState(input.getDescription().getSchedule().getState())
                          .build()));
    }
  }

  /** Removes it; a build that runs goes on, and finds that its type is gone. */
  public void remove(String type) {
    try {
      schedules.getHandle(ObjectsIds.live(type)).delete();
    } catch (ScheduleException e) {
      if (!(e.getCause() instanceof StatusRuntimeException answer)
          || answer.getStatus().getCode() != Status.Code.NOT_FOUND) {
        throw e;
      }
    }
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
                .setCatchupWindow(CATCH_UP)
                .build())
        .build();
  }
}
