package dev.tidemark.workflows.client;

import dev.tidemark.workflows.backfill.BackfillRequest;
import dev.tidemark.workflows.backfill.BackfillView;
import dev.tidemark.workflows.ledger.InputChange;
import dev.tidemark.workflows.ledger.Refusal;
import dev.tidemark.workflows.sweep.Attributes;
import dev.tidemark.workflows.sweep.Progress;
import dev.tidemark.workflows.sweep.SweepInput;
import dev.tidemark.workflows.sweep.SweepReport;
import dev.tidemark.workflows.sweep.SweepWorkflow;
import dev.tidemark.workflows.sweep.Trigger;
import dev.tidemark.workflows.sweep.WorkflowIds;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.WorkflowIdConflictPolicy;
import io.temporal.client.UpdateOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowException;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowServiceException;
import io.temporal.client.WorkflowStub;
import io.temporal.client.WorkflowUpdateException;
import io.temporal.client.WorkflowUpdateStage;
import io.temporal.common.SearchAttributes;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks Tidemark for work, from any application (contracts, section 6). Works with Temporal's
 * default data converter too. Errors of the connection are those of the Temporal client.
 */
public final class TidemarkClient {
  private static final Set<String> REFUSALS =
      Set.of(Refusal.INVALID, Refusal.REFUSED, Refusal.UNKNOWN_PIPELINE);

  private static final int MAX_TRIES = 5;

  private final WorkflowClient client;
  private final String taskQueue;
  private final Function<String, SearchAttributes> attributes;

  /** For a server that knows the search attributes of pipeline and trigger. */
  public TidemarkClient(WorkflowClient client, String taskQueue) {
    this(client, taskQueue, pipeline -> Attributes.of(pipeline, Trigger.MANUAL));
  }

  private TidemarkClient(
      WorkflowClient client, String taskQueue, Function<String, SearchAttributes> attributes) {
    this.client = client;
    this.taskQueue = taskQueue;
    this.attributes = attributes;
  }

  /** For a server that does not know them: it would refuse the start of a workflow. */
  public TidemarkClient withoutSearchAttributes() {
    return new TidemarkClient(client, taskQueue, pipeline -> SearchAttributes.EMPTY);
  }

  /** For a server that knows all of {@link WorkflowIds}: lanes then show what they took. */
  public TidemarkClient withPartitionAttribute() {
    return new TidemarkClient(
        client, taskQueue, pipeline -> Attributes.withPartitions(pipeline, Trigger.MANUAL));
  }

  /**
   * Asks for a range and waits until it is in the ledger, not until it is done.
   *
   * @throws RequestRefused if it cannot be accepted; nothing changed
   */
  public BackfillView requestBackfill(String pipeline, BackfillRequest request) {
    UpdateOptions<BackfillView> update =
        UpdateOptions.newBuilder(BackfillView.class)
            .setUpdateName("requestBackfill")
            .setWaitForStage(WorkflowUpdateStage.COMPLETED)
            .build();
    // With an id, asking again after a lost answer asks for nothing new.
    Object[] arguments = {request.identifiedBy(UUID.randomUUID().toString())};
    for (int tries = 1; ; tries++) {
      try {
        return ask(pipeline, update, arguments);
      } catch (WorkflowServiceException failed) {
        if (tries == MAX_TRIES || !endedMeanwhile(failed)) {
          throw failed;
        }
      }
    }
  }

  /** The workflow ended in the moment in which the request reached it; the next one takes it. */
  private static boolean endedMeanwhile(WorkflowServiceException failed) {
    return failed.getCause() instanceof StatusRuntimeException status
        && status.getStatus().getCode() == Status.Code.NOT_FOUND;
  }

  private BackfillView ask(
      String pipeline, UpdateOptions<BackfillView> update, Object[] arguments) {
    try {
      return askedForWork(pipeline)
          .executeUpdateWithStart(update, arguments, new Object[] {manualInput(pipeline)});
    } catch (WorkflowUpdateException failed) {
      if (failed.getCause() instanceof ApplicationFailure rejection) {
        // By the validator: the SDK keeps what it says, but not its type.
        throw new RequestRefused(Refusal.INVALID, rejection.getOriginalMessage(), failed);
      }
      throw refusalOr(failed);
    }
  }

  /** Asks for a range and does not wait: a request that is refused becomes a rejected backfill. */
  public void signalBackfill(String pipeline, BackfillRequest request) {
    signal(pipeline, "requestBackfill", request.identifiedBy(UUID.randomUUID().toString()));
  }

  /**
   * Says that the input of a partition changed, without waiting; what that makes late runs at once.
   * One that the pipeline does not have is said in the worker's log.
   */
  public void changed(String pipeline, InputChange change) {
    signal(pipeline, "changed", change);
  }

  /** Says that something became claimable: look now, at everything, not at the next tick. */
  public void wake(String pipeline) {
    signal(pipeline, "wake");
  }

  /**
   * Starts one sweep, or finds the one that this request has started.
   *
   * @param now the logical time, or null for the database's clock
   * @param requestId names the sweep; unique within the pipeline
   */
  public WorkflowStub startSweep(String pipeline, @Nullable Instant now, String requestId) {
    WorkflowStub sweep =
        stub(pipeline, WorkflowIds.sweepByHand(pipeline, requestId), "One sweep, by hand");
    sweep.start(new SweepInput(pipeline, Trigger.MANUAL, now));
    return sweep;
  }

  /**
   * Waits for the report of a sweep.
   *
   * @throws RequestRefused if it cannot be done, such as for a pipeline that is not registered
   * @throws TimeoutException if it has not ended in time; it goes on
   */
  public SweepReport awaitSweep(WorkflowStub sweep, Duration timeout) throws TimeoutException {
    try {
      return sweep.getResult(timeout.toMillis(), TimeUnit.MILLISECONDS, SweepReport.class);
    } catch (WorkflowException failed) {
      throw refusalOr(failed);
    }
  }

  /** How far a sweep, or the asked-for work, is. */
  public Progress progress(String workflowId) {
    return client.newUntypedWorkflowStub(workflowId).query("progress", Progress.class);
  }

  private void signal(String pipeline, String name, Object... arguments) {
    askedForWork(pipeline).signalWithStart(name, arguments, new Object[] {manualInput(pipeline)});
  }

  private static SweepInput manualInput(String pipeline) {
    return new SweepInput(pipeline, Trigger.MANUAL, null);
  }

  private WorkflowStub askedForWork(String pipeline) {
    return stub(pipeline, WorkflowIds.manual(pipeline), "What people asked for");
  }

  private WorkflowStub stub(String pipeline, String id, String summary) {
    return client.newUntypedWorkflowStub(
        SweepWorkflow.TYPE,
        WorkflowOptions.newBuilder()
            .setWorkflowId(id)
            .setTaskQueue(taskQueue)
            .setWorkflowIdConflictPolicy(
                WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING)
            .setTypedSearchAttributes(attributes.apply(pipeline))
            // Both or none: the SDK cannot describe what has only one of them.
            .setStaticSummary(summary)
            .setStaticDetails("Pipeline " + pipeline)
            .build());
  }

  private static RuntimeException refusalOr(RuntimeException failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof ApplicationFailure failure && REFUSALS.contains(failure.getType())) {
        return new RequestRefused(failure.getType(), failure.getOriginalMessage(), failed);
      }
    }
    return failed;
  }
}
