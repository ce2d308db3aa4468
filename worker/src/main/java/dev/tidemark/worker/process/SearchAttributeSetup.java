package dev.tidemark.worker.process;

import dev.tidemark.workflows.client.TidemarkClient;
import dev.tidemark.workflows.sweep.WorkflowIds;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.enums.v1.IndexedValueType;
import io.temporal.api.operatorservice.v1.AddSearchAttributesRequest;
import io.temporal.api.operatorservice.v1.ListSearchAttributesRequest;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc;
import io.temporal.api.operatorservice.v1.OperatorServiceGrpc.OperatorServiceBlockingStub;
import io.temporal.client.WorkflowClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Registers Tidemark's search attributes with a server that does not know them yet. */
public final class SearchAttributeSetup {
  private static final Logger log = LoggerFactory.getLogger(SearchAttributeSetup.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final List<String> NAMES =
      List.of(WorkflowIds.PIPELINE_ATTRIBUTE, WorkflowIds.TRIGGER_ATTRIBUTE);

  private static final String RANGE_MISSING =
      "lanes do not show which partitions they took, since "
          + WorkflowIds.PARTITION_ATTRIBUTE
          + " cannot be registered ({}); register it as Keyword with `temporal operator"
          + " search-attribute create`";

  private SearchAttributeSetup() {}

  /**
   * Registers the range of partitions that lanes show, if it is missing.
   *
   * @return whether it may be set on workflows
   */
  public static boolean ensurePartitions(WorkflowClient client) {
    try {
      register(client, List.of(WorkflowIds.PARTITION_ATTRIBUTE));
      return true;
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.ALREADY_EXISTS) {
        return true;
      }
      log.info(RANGE_MISSING, e.getStatus().getCode());
      return false;
    }
  }

  /**
   * Registers what is missing.
   *
   * @param notices one line where the server refuses that
   * @return whether they may be set on workflows
   */
  public static boolean ensure(WorkflowClient client, Consumer<String> notices) {
    try {
      register(client, NAMES);
      return true;
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.ALREADY_EXISTS) {
        return true;
      }
      notices.accept(
          "workflows get no search attributes, since "
              + String.join(" and ", NAMES)
              + " cannot be registered ("
              + e.getStatus().getCode()
              + "); register them as Keyword with `temporal operator search-attribute create`");
      return false;
    }
  }

  /**
   * What asks for work, with those attributes that the server knows.
   *
   * @param known what {@link #ensure} answered
   */
  public static TidemarkClient requests(WorkflowClient client, String taskQueue, boolean known) {
    TidemarkClient requests = new TidemarkClient(client, taskQueue);
    if (!known) {
      return requests.withoutSearchAttributes();
    }
    return ensurePartitions(client) ? requests.withPartitionAttribute() : requests;
  }

  private static void register(WorkflowClient client, List<String> names) {
    OperatorServiceBlockingStub operator =
        OperatorServiceGrpc.newBlockingStub(client.getWorkflowServiceStubs().getRawChannel());
    String namespace = client.getOptions().getNamespace();
    Set<String> known = known(operator, namespace);
    Map<String, IndexedValueType> missing =
        names.stream()
            .filter(name -> !known.contains(name))
            .collect(
                Collectors.toMap(
                    name -> name, name -> IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD));
    if (!missing.isEmpty()) {
      operator
          .withDeadlineAfter(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
          .addSearchAttributes(
              AddSearchAttributesRequest.newBuilder()
                  .setNamespace(namespace)
                  .putAllSearchAttributes(missing)
                  .build());
    }
  }

  /** What the server says it knows; nothing where it cannot say, as the Java test server. */
  private static Set<String> known(OperatorServiceBlockingStub operator, String namespace) {
    try {
      return operator
          .withDeadlineAfter(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
          .listSearchAttributes(
              ListSearchAttributesRequest.newBuilder().setNamespace(namespace).build())
          .getCustomAttributesMap()
          .keySet();
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
        return Set.of();
      }
      throw e;
    }
  }
}
