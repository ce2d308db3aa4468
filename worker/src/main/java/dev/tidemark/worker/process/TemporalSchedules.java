package dev.tidemark.worker.process;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.client.WorkflowClient;
import io.temporal.client.schedules.Schedule;
import io.temporal.client.schedules.ScheduleAlreadyRunningException;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleClientOptions;
import io.temporal.client.schedules.ScheduleDescription;
import io.temporal.client.schedules.ScheduleException;
import io.temporal.client.schedules.ScheduleHandle;
import io.temporal.client.schedules.ScheduleOptions;
import io.temporal.client.schedules.ScheduleUpdate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Schedules of a namespace, written idempotently. A server that has no Schedules at all has
 * none to find or to delete.
 */
final class TemporalSchedules {
  private static final Logger log = LoggerFactory.getLogger(TemporalSchedules.class);

  /** After an outage one late tick is enough; Temporal's own default is a year of them. */
  static final Duration CATCH_UP = Duration.ofMinutes(10);

  private final ScheduleClient schedules;

  TemporalSchedules(WorkflowClient client) {
    this.schedules =
        ScheduleClient.newInstance(
            client.getWorkflowServiceStubs(),
            ScheduleClientOptions.newBuilder()
                .setNamespace(client.getOptions().getNamespace())
                .setDataConverter(client.getOptions().getDataConverter())
                .setIdentity(client.getOptions().getIdentity())
                .build());
  }

  ScheduleHandle handle(String id) {
    return schedules.getHandle(id);
  }

  /** A paused one stays paused. */
  void createOrUpdate(String id, Schedule wanted) {
    try {
      schedules.createSchedule(id, wanted, ScheduleOptions.newBuilder().build());
    } catch (ScheduleAlreadyRunningException e) {
      log.debug("schedule {} exists and is updated", id);
      handle(id)
          .update(
              input ->
                  new ScheduleUpdate(
                      Schedule.newBuilder(wanted)
                          .setState(input.getDescription().getSchedule().getState())
                          .build()));
    }
  }

  void delete(String id) {
    try {
      handle(id).delete();
    } catch (RuntimeException e) {
      unlessAbsent(e);
    }
  }

  Optional<ScheduleDescription> describe(String id) {
    try {
      return Optional.of(handle(id).describe());
    } catch (RuntimeException e) {
      unlessAbsent(e);
      return Optional.empty();
    }
  }

  List<String> ids() {
    try {
      return schedules.listSchedules().map(entry -> entry.getScheduleId()).toList();
    } catch (RuntimeException e) {
      unlessUnimplemented(e);
      return List.of();
    }
  }

  private static void unlessAbsent(RuntimeException e) {
    if (status(e) != Status.Code.NOT_FOUND) {
      unlessUnimplemented(e);
    }
  }

  private static void unlessUnimplemented(RuntimeException e) {
    if (status(e) != Status.Code.UNIMPLEMENTED) {
      throw e;
    }
  }

  private static Status.Code status(RuntimeException e) {
    Throwable cause = e instanceof ScheduleException ? e.getCause() : e;
    return cause instanceof StatusRuntimeException answer
        ? answer.getStatus().getCode()
        : Status.Code.UNKNOWN;
  }
}
