package dev.tidemark.worker.embedded;

import com.uber.m3.tally.Scope;
import dev.tidemark.worker.metrics.Metrics;
import dev.tidemark.workflows.payload.Payloads;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.workflowservice.v1.DescribeNamespaceRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A connection to a Temporal server that answered. */
record TemporalLink(
    TemporalTarget target, WorkflowServiceStubs stubs, WorkflowClient client, @Nullable Scope scope)
    implements AutoCloseable {
  private static final Duration NO_WORKER_HEARTBEAT = Duration.ofSeconds(-1);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  /**
   * Connects, and asks for the namespace.
   *
   * @param patience how long the server may take to answer at all, and half of it once more for the
   *     namespace
   * @param metrics where the client counts what it does; null for nowhere
   */
  static TemporalLink connect(TemporalTarget target, Duration patience, @Nullable Metrics metrics)
      throws ServiceUnavailableException {
    Scope scope = metrics == null ? null : metrics.temporalScope();
    WorkflowServiceStubsOptions.Builder settings =
        WorkflowServiceStubsOptions.newBuilder(target.profile().toWorkflowServiceStubsOptions());
    if (scope != null) {
      settings.setMetricsScope(scope);
    }
    WorkflowServiceStubs stubs = WorkflowServiceStubs.newServiceStubs(settings.build());
    try {
      awaitAnswer(stubs, target, patience);
      stubs
          .blockingStub()
          .withDeadlineAfter(patience.toMillis() / 2, TimeUnit.MILLISECONDS)
          .describeNamespace(
              DescribeNamespaceRequest.newBuilder().setNamespace(target.namespace()).build());
    } catch (RuntimeException e) {
      stubs.shutdownNow();
      Metrics.close(scope);
      throw unavailable(target, e);
    }
    WorkflowClientOptions.Builder options =
        WorkflowClientOptions.newBuilder(target.profile().toWorkflowClientOptions())
            .setDataConverter(Payloads.dataConverter());
    if (target.local()) {
      // The Java test server has none, and each worker would say so.
      options.setWorkerHeartbeatInterval(NO_WORKER_HEARTBEAT);
    }
    return new TemporalLink(
        target, stubs, WorkflowClient.newInstance(stubs, options.build()), scope);
  }

  /** A server that we have just started may take longer on a busy machine than one call may. */
  private static void awaitAnswer(
      WorkflowServiceStubs stubs, TemporalTarget target, Duration patience) {
    long giveUp = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        stubs.connect(patience);
        return;
      } catch (StatusRuntimeException e) {
        boolean slow = e.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED;
        if (!target.local() || !slow || System.nanoTime() - giveUp >= 0) {
          throw e;
        }
      }
    }
  }

  private static ServiceUnavailableException unavailable(
      TemporalTarget target, RuntimeException e) {
    if (e instanceof StatusRuntimeException answer
        && answer.getStatus().getCode() == Status.Code.NOT_FOUND) {
      return new ServiceUnavailableException(
          "Temporal at "
              + target.address()
              + " has no namespace '"
              + target.namespace()
              + "': create it (temporal operator namespace create) or correct temporal.namespace",
          e);
    }
    return new ServiceUnavailableException(
        "cannot reach Temporal at " + target.address() + ": " + reason(e) + wayOut(target), e);
  }

  private static String wayOut(TemporalTarget target) {
    return target.local()
        ? ". It is a local server that Tidemark started: it is busy, or has ended;"
            + " .tidemark/temporal.log beside the configuration may say why. The same command"
            + " starts it again"
        : ". Start it, or correct temporal.address or TEMPORAL_ADDRESS; with neither set, a local"
            + " server is started";
  }

  private static String reason(Throwable e) {
    if (e instanceof StatusRuntimeException answer) {
      String description = answer.getStatus().getDescription();
      return answer.getStatus().getCode() + (description == null ? "" : " (" + description + ")");
    }
    if (e instanceof TimeoutException) {
      return "no answer";
    }
    return e.getCause() == null ? String.valueOf(e.getMessage()) : reason(e.getCause());
  }

  @Override
  public void close() {
    stubs.shutdown();
    if (!stubs.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
      stubs.shutdownNow();
    }
    Metrics.close(scope);
  }
}
