package dev.tidemark.worker.process;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.pipeline.Wake;
import dev.tidemark.workflows.sweep.Attributes;
import dev.tidemark.workflows.sweep.SweepInput;
import dev.tidemark.workflows.sweep.SweepWorkflow;
import dev.tidemark.workflows.sweep.Trigger;
import dev.tidemark.workflows.sweep.WorkflowIds;
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
import io.temporal.client.schedules.ScheduleDescription;
import io.temporal.client.schedules.ScheduleException;
import io.temporal.client.schedules.ScheduleHandle;
import io.temporal.client.schedules.ScheduleIntervalSpec;
import io.temporal.client.schedules.ScheduleOptions;
import io.temporal.client.schedules.SchedulePolicy;
import io.temporal.client.schedules.ScheduleSpec;
import io.temporal.client.schedules.ScheduleUpdate;
import io.temporal.common.SearchAttributes;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What wakes each pipeline: a Temporal Schedule, or, where the definition says so, a cron workflow.
 * Read from Temporal as it is, written idempotently. Missed ticks are harmless: a sweep computes
 * the whole backlog.
 */
public final class PipelineSchedules {
  private static final Logger log = LoggerFactory.getLogger(PipelineSchedules.class);

  /** After an outage one late tick is enough; Temporal's own default is a year of them. */
  private static final Duration CATCH_UP = Duration.ofMinutes(10);

  private static final String NOTE = "tidemark schedule";

  private final WorkflowClient client;
  private final String taskQueue;
  private final ScheduleClient schedules;
  private final CronWorkflows crons;

  /**
   * @param taskQueue where the workers of these pipelines poll
   */
  public PipelineSchedules(WorkflowClient client, String taskQueue) {
    this.client = client;
    this.taskQueue = taskQueue;
    this.schedules =
        ScheduleClient.newInstance(
            client.getWorkflowServiceStubs(),
            ScheduleClientOptions.newBuilder()
                .setNamespace(client.getOptions().getNamespace())
                .setDataConverter(client.getOptions().getDataConverter())
                .setIdentity(client.getOptions().getIdentity())
                .build());
    this.crons = new CronWorkflows(client, taskQueue);
  }

  /**
   * Creates or updates what wakes the pipeline, and removes the other kind. A paused schedule stays
   * paused.
   *
   * @throws IllegalArgumentException if Temporal does not accept the cron expression
   */
  public void apply(RegisteredPipeline pipeline) {
    if (pipeline.definition().pace().sweep() instanceof Wake.Cron cron) {
      crons.apply(pipeline, cron, searchAttributes(pipeline.name(), Trigger.CRON));
      deleteSchedule(pipeline.name());
    } else if (pipeline.definition().pace().sweep() instanceof Wake.Every every) {
      createOrUpdate(pipeline.name(), every);
      crons.remove(pipeline.name());
    }
  }

  /** Removes whatever wakes it; a sweep that a schedule started goes on. */
  public void remove(String pipeline) {
    deleteSchedule(pipeline);
    crons.remove(pipeline);
  }

  /**
   * Pauses its schedule in Temporal. Returns whether that changed anything.
   *
   * @throws IllegalStateException if a cron workflow wakes it: Temporal cannot pause one
   */
  public boolean pause(String pipeline) {
    return change(pipeline, true);
  }

  /**
   * Lets its schedule go on. Returns whether that changed anything.
   *
   * @throws IllegalStateException if a cron workflow wakes it: Temporal cannot pause one
   */
  public boolean resume(String pipeline) {
    return change(pipeline, false);
  }

  private boolean change(String pipeline, boolean paused) {
    Optional<ScheduleView> now = find(pipeline);
    if (now.isPresent() && now.get().kind() == ScheduleView.Kind.CRON) {
      throw new IllegalStateException(
          "pipeline '"
              + pipeline
              + "' is woken by a cron workflow, which Temporal cannot pause; use `tidemark "
              + (paused ? "pause " : "resume ")
              + pipeline
              + "`");
    }
    if (now.isEmpty() || now.get().paused() == paused) {
      return false;
    }
    if (paused) {
      handle(pipeline).pause(NOTE);
    } else {
      handle(pipeline).unpause(NOTE);
    }
    return true;
  }

  /** What wakes this pipeline, if anything does. */
  public Optional<ScheduleView> find(String pipeline) {
    return describe(pipeline)
        .map(description -> view(pipeline, description))
        .or(() -> crons.find(pipeline));
  }

  /** What wakes pipelines in this namespace, by name. */
  public List<ScheduleView> list() {
    TreeSet<String> pipelines = new TreeSet<>(crons.pipelines());
    try {
      schedules
          .listSchedules()
          .forEach(
              entry -> CronWorkflows.pipelineOf(entry.getScheduleId()).ifPresent(pipelines::add));
    } catch (RuntimeException e) {
      unlessUnimplemented(e);
    }
    return pipelines.stream().map(this::find).flatMap(Optional::stream).toList();
  }

  private void createOrUpdate(String pipeline, Wake.Every every) {
    Schedule wanted = schedule(pipeline, every);
    try {
      schedules.createSchedule(
          WorkflowIds.sweep(pipeline), wanted, ScheduleOptions.newBuilder().build());
    } catch (ScheduleAlreadyRunningException e) {
      log.debug("schedule of {} exists and is updated", pipeline);
      handle(pipeline)
          .update(
              input ->
                  new ScheduleUpdate(
                      Schedule.newBuilder(wanted)
                          .setState(input.getDescription().getSchedule().getState())
                          .build()));
    }
  }

  private Schedule schedule(String pipeline, Wake.Every every) {
    return Schedule.newBuilder()
        .setAction(
            ScheduleActionStartWorkflow.newBuilder()
                .setWorkflowType(SweepWorkflow.TYPE)
                .setArguments(new SweepInput(pipeline, Trigger.SCHEDULE, null))
                .setOptions(
                    WorkflowOptions.newBuilder()
                        .setWorkflowId(WorkflowIds.sweep(pipeline))
                        .setTaskQueue(taskQueue)
                        .setTypedSearchAttributes(searchAttributes(pipeline, Trigger.SCHEDULE))
                        // Both: with one alone the SDK cannot read the schedule back.
                        .setStaticSummary("sweep of " + pipeline)
                        .setStaticDetails("Runs what is due of pipeline " + pipeline + ".")
                        .build())
                .build())
        .setSpec(
            ScheduleSpec.newBuilder()
                .setIntervals(List.of(new ScheduleIntervalSpec(every.interval())))
                .build())
        .setPolicy(
            SchedulePolicy.newBuilder()
                .setOverlap(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_BUFFER_ONE)
                .setCatchupWindow(CATCH_UP)
                .build())
        .build();
  }

  private SearchAttributes searchAttributes(String pipeline, Trigger trigger) {
    if (!SearchAttributeSetup.ensure(client, log::warn)) {
      return SearchAttributes.EMPTY;
    }
    return SearchAttributeSetup.ensurePartitions(client)
        ? Attributes.withPartitions(pipeline, trigger)
        : Attributes.of(pipeline, trigger);
  }

  private Optional<ScheduleDescription> describe(String pipeline) {
    try {
      return Optional.of(handle(pipeline).describe());
    } catch (RuntimeException e) {
      unlessAbsent(e);
      return Optional.empty();
    }
  }

  private static ScheduleView view(String pipeline, ScheduleDescription description) {
    Schedule schedule = description.getSchedule();
    boolean paused = schedule.getState().isPaused();
    List<ScheduleIntervalSpec> intervals = schedule.getSpec().getIntervals();
    return new ScheduleView(
        pipeline,
        ScheduleView.Kind.SCHEDULE,
        intervals.isEmpty() ? "custom" : intervals.get(0).getEvery().toString(),
        paused,
        paused
            ? null
            : description.getInfo().getNextActionTimes().stream().findFirst().orElse(null));
  }

  private void deleteSchedule(String pipeline) {
    try {
      handle(pipeline).delete();
    } catch (RuntimeException e) {
      unlessAbsent(e);
    }
  }

  private ScheduleHandle handle(String pipeline) {
    return schedules.getHandle(WorkflowIds.sweep(pipeline));
  }

  /** Nothing of that name, or a server that has no schedules at all. */
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
