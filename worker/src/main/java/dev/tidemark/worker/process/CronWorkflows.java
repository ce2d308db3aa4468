package dev.tidemark.worker.process;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.pipeline.Wake;
import dev.tidemark.workflows.sweep.SweepInput;
import dev.tidemark.workflows.sweep.SweepWorkflow;
import dev.tidemark.workflows.sweep.Trigger;
import dev.tidemark.workflows.sweep.WorkflowIds;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.api.history.v1.WorkflowExecutionStartedEventAttributes;
import io.temporal.api.workflow.v1.WorkflowExecutionInfo;
import io.temporal.api.workflowservice.v1.DescribeWorkflowExecutionRequest;
import io.temporal.api.workflowservice.v1.GetWorkflowExecutionHistoryRequest;
import io.temporal.api.workflowservice.v1.ListWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceBlockingStub;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowServiceException;
import io.temporal.common.SearchAttributes;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cron workflows of pipelines. What one was started with is read from the first event of its
 * history, so that nothing else needs to remember it.
 */
final class CronWorkflows {
  private static final Logger log = LoggerFactory.getLogger(CronWorkflows.class);
  private static final String RUNNING =
      "WorkflowType = '" + SweepWorkflow.TYPE + "' AND ExecutionStatus = 'Running'";

  private final WorkflowClient client;
  private final String taskQueue;

  CronWorkflows(WorkflowClient client, String taskQueue) {
    this.client = client;
    this.taskQueue = taskQueue;
  }

  /** Starts it, or replaces one that was started otherwise. */
  void apply(RegisteredPipeline pipeline, Wake.Cron cron, SearchAttributes attributes) {
    String expression = inZone(pipeline, cron.expression());
    boolean same =
        started(pipeline.name())
            .filter(event -> event.getCronSchedule().equals(expression))
            .filter(event -> event.getTaskQueue().getName().equals(taskQueue))
            .isPresent();
    if (same) {
      return;
    }
    WorkflowOptions options =
        WorkflowOptions.newBuilder()
            .setWorkflowId(WorkflowIds.sweep(pipeline.name()))
            .setTaskQueue(taskQueue)
            .setCronSchedule(expression)
            .setTypedSearchAttributes(attributes)
            .setStaticSummary("sweep of " + pipeline.name())
            .setStaticDetails("Runs what is due of pipeline " + pipeline.name() + ".")
            // Its lanes go on without it; what it had claimed is settled by them.
            .setWorkflowIdConflictPolicy(
                WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING)
            .build();
    try {
      client
          .newUntypedWorkflowStub(SweepWorkflow.TYPE, options)
          .start(new SweepInput(pipeline.name(), Trigger.CRON, null));
    } catch (WorkflowServiceException e) {
      if (e.getCause() instanceof StatusRuntimeException answer
          && answer.getStatus().getCode() == Status.Code.INVALID_ARGUMENT) {
        throw new IllegalArgumentException(
            "sweep.cron of pipeline '"
                + pipeline.name()
                + "' is '"
                + cron.expression()
                + "', which Temporal does not accept: "
                + answer.getStatus().getDescription(),
            e);
      }
      throw e;
    }
  }

  /** Temporal reads a cron expression in UTC unless it names a zone. */
  private static String inZone(RegisteredPipeline pipeline, String expression) {
    String zone = pipeline.definition().extent().partitions().zone().getId();
    boolean named = expression.startsWith("CRON_TZ=") || expression.startsWith("TZ=");
    return named || zone.equals("UTC") || zone.equals("Z")
        ? expression
        : "CRON_TZ=" + zone + " " + expression;
  }

  /** Ends it, if there is one. */
  void remove(String pipeline) {
    if (started(pipeline).isEmpty()) {
      return;
    }
    try {
      client
          .newUntypedWorkflowStub(WorkflowIds.sweep(pipeline))
          .terminate("replaced or removed by tidemark");
    } catch (WorkflowNotFoundException e) {
      log.debug("the cron workflow of {} ended by itself", pipeline);
    }
  }

  Optional<ScheduleView> find(String pipeline) {
    return started(pipeline)
        .map(
            event ->
                new ScheduleView(
                    pipeline, ScheduleView.Kind.CRON, event.getCronSchedule(), false, null));
  }

  /** Pipelines that seem to have one; the server's list lags a little behind. */
  List<String> pipelines() {
    try {
      return service()
          .listWorkflowExecutions(
              ListWorkflowExecutionsRequest.newBuilder()
                  .setNamespace(namespace())
                  .setQuery(RUNNING)
                  .build())
          .getExecutionsList()
          .stream()
          .map(WorkflowExecutionInfo::getExecution)
          .map(WorkflowExecution::getWorkflowId)
          .map(CronWorkflows::pipelineOf)
          .flatMap(Optional::stream)
          .toList();
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
        return List.of();
      }
      throw e;
    }
  }

  /** The pipeline whose schedule or cron workflow has this id; the inverse of the id's making. */
  static Optional<String> pipelineOf(String id) {
    String[] parts = id.split("/", -1);
    return parts.length == 3 && WorkflowIds.sweep(parts[1]).equals(id)
        ? Optional.of(parts[1])
        : Optional.empty();
  }

  /** How the running cron workflow was started; empty where none runs. */
  private Optional<WorkflowExecutionStartedEventAttributes> started(String pipeline) {
    WorkflowExecution execution =
        WorkflowExecution.newBuilder().setWorkflowId(WorkflowIds.sweep(pipeline)).build();
    try {
      WorkflowExecutionInfo info =
          service()
              .describeWorkflowExecution(
                  DescribeWorkflowExecutionRequest.newBuilder()
                      .setNamespace(namespace())
                      .setExecution(execution)
                      .build())
              .getWorkflowExecutionInfo();
      if (info.getStatus() != WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING) {
        return Optional.empty();
      }
      return service()
          .getWorkflowExecutionHistory(
              GetWorkflowExecutionHistoryRequest.newBuilder()
                  .setNamespace(namespace())
                  .setExecution(info.getExecution())
                  .setMaximumPageSize(1)
                  .build())
          .getHistory()
          .getEventsList()
          .stream()
          .map(event -> event.getWorkflowExecutionStartedEventAttributes())
          .filter(event -> !event.getCronSchedule().isEmpty())
          .findFirst();
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private WorkflowServiceBlockingStub service() {
    return client.getWorkflowServiceStubs().blockingStub();
  }

  private String namespace() {
    return client.getOptions().getNamespace();
  }
}
