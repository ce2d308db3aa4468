package dev.tidemark.worker.process;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.pipeline.Wake;
import dev.tidemark.workflows.sweep.Attributes;
import dev.tidemark.workflows.sweep.SweepInput;
import dev.tidemark.workflows.sweep.SweepWorkflow;
import dev.tidemark.workflows.sweep.Trigger;
import dev.tidemark.workflows.sweep.WorkflowIds;
import io.temporal.api.enums.v1.ScheduleOverlapPolicy;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.schedules.Schedule;
import io.temporal.client.schedules.ScheduleActionStartWorkflow;
import io.temporal.client.schedules.ScheduleDescription;
import io.temporal.client.schedules.ScheduleHandle;
import io.temporal.client.schedules.ScheduleIntervalSpec;
import io.temporal.client.schedules.SchedulePolicy;
import io.temporal.client.schedules.ScheduleSpec;
import io.temporal.common.SearchAttributes;
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

  private static final String NOTE = "tidemark schedule";

  private final WorkflowClient client;
  private final String taskQueue;
  private final TemporalSchedules schedules;
  private final CronWorkflows crons;

  /**
   * @param taskQueue where the workers of these pipelines poll
   */
  public PipelineSchedules(WorkflowClient client, String taskQueue) {
    this.client = client;
    this.taskQueue = taskQueue;
    this.schedules = new TemporalSchedules(client);
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
      schedules.delete(WorkflowIds.sweep(pipeline.name()));
    } else if (pipeline.definition().pace().sweep() instanceof Wake.Every every) {
      schedules.createOrUpdate(
          WorkflowIds.sweep(pipeline.name()), schedule(pipeline.name(), every));
      crons.remove(pipeline.name());
    }
  }

  /** Removes whatever wakes it; a sweep that a schedule started goes on. */
  public void remove(String pipeline) {
    schedules.delete(WorkflowIds.sweep(pipeline));
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
    return schedules
        .describe(WorkflowIds.sweep(pipeline))
        .map(description -> view(pipeline, description))
        .or(() -> crons.find(pipeline));
  }

  /** What wakes pipelines in this namespace, by name. */
  public List<ScheduleView> list() {
    TreeSet<String> pipelines = new TreeSet<>(crons.pipelines());
    schedules.ids().forEach(id -> CronWorkflows.pipelineOf(id).ifPresent(pipelines::add));
    return pipelines.stream().map(this::find).flatMap(Optional::stream).toList();
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
                .setCatchupWindow(TemporalSchedules.CATCH_UP)
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

  private ScheduleHandle handle(String pipeline) {
    return schedules.handle(WorkflowIds.sweep(pipeline));
  }
}
