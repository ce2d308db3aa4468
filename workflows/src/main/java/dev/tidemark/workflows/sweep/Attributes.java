package dev.tidemark.workflows.sweep;

import io.temporal.common.SearchAttributeKey;
import io.temporal.common.SearchAttributes;
import io.temporal.workflow.Workflow;
import java.util.Locale;

/** The search attributes of Tidemark's workflows; a server must know them before they are used. */
public final class Attributes {
  private static final SearchAttributeKey<String> PIPELINE =
      SearchAttributeKey.forKeyword(WorkflowIds.PIPELINE_ATTRIBUTE);
  private static final SearchAttributeKey<String> TRIGGER =
      SearchAttributeKey.forKeyword(WorkflowIds.TRIGGER_ATTRIBUTE);

  private static final SearchAttributeKey<String> PARTITION =
      SearchAttributeKey.forKeyword(WorkflowIds.PARTITION_ATTRIBUTE);

  /** Before anything is taken. */
  private static final String NONE = "-";

  private Attributes() {}

  /** The attributes of a workflow that works for {@code pipeline}. */
  public static SearchAttributes of(String pipeline, Trigger trigger) {
    return SearchAttributes.newBuilder()
        .set(PIPELINE, pipeline)
        .set(TRIGGER, trigger.name().toLowerCase(Locale.ROOT))
        .build();
  }

  /** The same, for a server that knows the range of partitions too: lanes then show theirs. */
  public static SearchAttributes withPartitions(String pipeline, Trigger trigger) {
    return SearchAttributes.newBuilder(of(pipeline, trigger)).set(PARTITION, NONE).build();
  }

  /** For a child: none that this workflow has not, since the server may not know it. */
  static SearchAttributes forChild(String pipeline, Trigger trigger) {
    if (hasPartitions()) {
      return withPartitions(pipeline, trigger);
    }
    return Workflow.getTypedSearchAttributes().containsKey(PIPELINE)
        ? of(pipeline, trigger)
        : SearchAttributes.EMPTY;
  }

  /** Whether this workflow was started with the range of partitions. */
  static boolean hasPartitions() {
    return Workflow.getTypedSearchAttributes().containsKey(PARTITION);
  }

  static void showPartitions(String range) {
    Workflow.upsertTypedSearchAttributes(PARTITION.valueSet(range));
  }
}
