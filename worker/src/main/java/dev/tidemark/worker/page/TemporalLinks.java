package dev.tidemark.worker.page;

import dev.tidemark.workflows.sweep.WorkflowIds;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Addresses in Temporal's Web UI; null throughout where it is not known where that is. */
final class TemporalLinks {
  private final @Nullable String workflows;

  /**
   * @param ui its address, null where it is not known
   */
  TemporalLinks(@Nullable String ui, String namespace) {
    this.workflows =
        ui == null
            ? null
            : ui.replaceAll("/+$", "") + "/namespaces/" + encoded(namespace) + "/workflows";
  }

  /** The newest run of a workflow. */
  @Nullable String workflow(String id) {
    return workflows == null ? null : workflows + "/" + encoded(id);
  }

  /** One run. */
  @Nullable String run(String runId) {
    return query("RunId = \"" + runId + "\"");
  }

  /** All workflows of a pipeline. */
  @Nullable String pipeline(String name) {
    return query(WorkflowIds.PIPELINE_ATTRIBUTE + " = \"" + name + "\"");
  }

  private @Nullable String query(String query) {
    return workflows == null ? null : workflows + "?query=" + encoded(query);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
