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

  private Attributes() {}

  /** The attributes of a workflow that works for {@code pipeline}. */
  public static SearchAttributes of(String pipeline, Trigger trigger) {
    return SearchAttributes.newBuilder()
        .set(PIPELINE, pipeline)
        .set(TRIGGER, trigger.name().toLowerCase(Locale.ROOT))
        .build();
  }

  /** For a child: none where this workflow has none, since the server may not know them. */
  static SearchAttributes forChild(String pipeline, Trigger trigger) {
    return Workflow.getTypedSearchAttributes().containsKey(PIPELINE)
        ? of(pipeline, trigger)
        : SearchAttributes.EMPTY;
  }
}
