package dev.tidemark.worker.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.worker.embedded.TestServices;
import dev.tidemark.worker.plugin.Pipeline;
import dev.tidemark.worker.plugin.PipelineBuilder;
import dev.tidemark.workflows.sweep.SweepInput;
import dev.tidemark.workflows.sweep.Trigger;
import dev.tidemark.workflows.sweep.WorkflowIds;
import io.temporal.api.enums.v1.ScheduleOverlapPolicy;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.WorkflowClient;
import io.temporal.client.schedules.ScheduleActionStartWorkflow;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleDescription;
import io.temporal.common.SearchAttributeKey;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Schedules and cron workflows on a real Temporal server. */
@Timeout(60)
class PipelineSchedulesTest {
  private final WorkflowClient client = TestServices.client();
  private final PipelineSchedules schedules = new PipelineSchedules(client, "schedules-test");
  private final String name = "p" + UUID.randomUUID().toString().substring(0, 8);

  @AfterEach
  void remove() {
    schedules.remove(name);
  }

  @Test
  void createsAScheduleThatStartsSweeps() {
    schedules.apply(pipeline(b -> b.sweepEvery(Duration.ofMinutes(5))));

    ScheduleDescription description = describe();
    assertThat(description.getSchedule().getPolicy().getOverlap())
        .isEqualTo(ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_BUFFER_ONE);
    assertThat(description.getSchedule().getPolicy().getCatchupWindow())
        .isEqualTo(Duration.ofMinutes(10));
    ScheduleActionStartWorkflow action =
        (ScheduleActionStartWorkflow) description.getSchedule().getAction();
    assertThat(action.getWorkflowType()).isEqualTo("TidemarkSweep");
    assertThat(action.getOptions().getWorkflowId()).isEqualTo("tidemark/" + name + "/sweep");
    assertThat(action.getOptions().getTaskQueue()).isEqualTo("schedules-test");
    assertThat(
            action
                .getOptions()
                .getTypedSearchAttributes()
                .get(SearchAttributeKey.forKeyword(WorkflowIds.PIPELINE_ATTRIBUTE)))
        .isEqualTo(name);
    assertThat(action.getArguments().get(0, SweepInput.class))
        .isEqualTo(new SweepInput(name, Trigger.SCHEDULE, null));
    assertThat(schedules.find(name))
        .hasValueSatisfying(
            view -> {
              assertThat(view.kind()).isEqualTo(ScheduleView.Kind.SCHEDULE);
              assertThat(view.spec()).isEqualTo("PT5M");
              assertThat(view.paused()).isFalse();
              assertThat(view.next()).isNotNull();
            });
  }

  @Test
  void updatesItAndLeavesItPaused() {
    schedules.apply(pipeline(b -> b.sweepEvery(Duration.ofMinutes(5))));
    assertThat(schedules.pause(name)).isTrue();
    assertThat(schedules.pause(name)).isFalse();

    schedules.apply(pipeline(b -> b.sweepEvery(Duration.ofHours(2))));

    assertThat(schedules.find(name))
        .hasValueSatisfying(
            view -> {
              assertThat(view.spec()).isEqualTo("PT2H");
              assertThat(view.paused()).isTrue();
              assertThat(view.next()).isNull();
            });
    assertThat(schedules.resume(name)).isTrue();
    assertThat(schedules.resume(name)).isFalse();
    assertThat(schedules.find(name).orElseThrow().paused()).isFalse();
  }

  @Test
  void startsACronWorkflowInThePipelinesZoneWhereTheDefinitionSaysSo() {
    ZoneId istanbul = ZoneId.of("Europe/Istanbul");
    schedules.apply(pipeline(istanbul, b -> b.sweepCron("*/15 * * * *")));
    String firstRun = runId();
    schedules.apply(pipeline(istanbul, b -> b.sweepCron("*/15 * * * *")));

    assertThat(runId()).as("an equal one is left alone").isEqualTo(firstRun);
    ScheduleView view = schedules.find(name).orElseThrow();
    assertThat(view.kind()).isEqualTo(ScheduleView.Kind.CRON);
    assertThat(view.spec()).isEqualTo("CRON_TZ=Europe/Istanbul */15 * * * *");

    schedules.apply(pipeline(istanbul, b -> b.sweepCron("0 * * * *")));
    assertThat(runId()).isNotEqualTo(firstRun);
    assertThat(schedules.find(name).orElseThrow().spec())
        .isEqualTo("CRON_TZ=Europe/Istanbul 0 * * * *");
  }

  @Test
  void switchingTheKindRemovesTheOther() {
    schedules.apply(pipeline(b -> b.sweepEvery(Duration.ofMinutes(5))));
    schedules.apply(pipeline(b -> b.sweepCron("@hourly")));
    assertThat(schedules.find(name).orElseThrow().kind()).isEqualTo(ScheduleView.Kind.CRON);
    assertThatThrownBy(this::describe).isInstanceOf(RuntimeException.class);

    schedules.apply(pipeline(b -> b.sweepEvery(Duration.ofMinutes(5))));
    assertThat(schedules.find(name).orElseThrow().kind()).isEqualTo(ScheduleView.Kind.SCHEDULE);
    assertThat(client.newUntypedWorkflowStub(WorkflowIds.sweep(name)).describe().getStatus())
        .isEqualTo(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED);
  }

  @Test
  void saysThatACronWorkflowCannotBePaused() {
    schedules.apply(pipeline(b -> b.sweepCron("@hourly")));
    assertThatThrownBy(() -> schedules.pause(name))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("tidemark pause " + name);
  }

  @Test
  void refusesACronExpressionThatTemporalDoesNotAccept() {
    assertThatThrownBy(() -> schedules.apply(pipeline(b -> b.sweepCron("every so often"))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'every so often'")
        .hasMessageContaining(name);
    assertThat(schedules.find(name)).isEmpty();
  }

  @Test
  void listsWhatWakesPipelinesAndForgetsWhatWasRemoved() throws Exception {
    schedules.apply(pipeline(b -> b.sweepEvery(Duration.ofMinutes(5))));
    // The server's list lags a little.
    while (schedules.list().stream().noneMatch(view -> view.pipeline().equals(name))) {
      Thread.onSpinWait();
    }
    schedules.remove(name);
    schedules.remove(name);
    assertThat(schedules.find(name)).isEmpty();
    assertThat(schedules.list()).noneMatch(view -> view.pipeline().equals(name));
  }

  private String runId() {
    return client
        .newUntypedWorkflowStub(WorkflowIds.sweep(name))
        .describe()
        .getExecution()
        .getRunId();
  }

  private ScheduleDescription describe() {
    return ScheduleClient.newInstance(client.getWorkflowServiceStubs())
        .getHandle(WorkflowIds.sweep(name))
        .describe();
  }

  private RegisteredPipeline pipeline(UnaryOperator<PipelineBuilder> details) {
    return pipeline(ZoneOffset.UTC, details);
  }

  private RegisteredPipeline pipeline(ZoneId zone, UnaryOperator<PipelineBuilder> details) {
    Pipeline pipeline =
        details
            .apply(Pipeline.named(name).daily(zone).from("2026-01-01").task(context -> {}))
            .build();
    return new RegisteredPipeline(1, 1, "fingerprint", false, null, pipeline.definition());
  }
}
