package dev.tidemark.starter.partition;

import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.starter.session.Asked;
import dev.tidemark.starter.session.ExitCode;
import dev.tidemark.starter.session.Session;
import dev.tidemark.starter.session.SliceOption;
import dev.tidemark.starter.session.Workspace;
import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import java.util.List;

/** What the commands that step in at single partitions have in common. */
final class Intervention {
  private final Workspace workspace;

  Intervention(Workspace workspace) {
    this.workspace = workspace;
  }

  /** One of the ledger's interventions; returns how many rows changed. */
  @FunctionalInterface
  interface Act {
    int on(Session session, RegisteredPipeline pipeline, List<String> partitions, Slice filter);
  }

  /**
   * Checks the arguments, acts, has the pipeline looked at, and says what was done.
   *
   * @param done what was done to the partitions that changed: "excused"
   * @param nothing what to say where none changed
   */
  int run(
      String pipeline, List<String> labels, SliceOption slice, String done, String nothing, Act act)
      throws Exception {
    Configuration configuration = workspace.configuration();
    PipelineDefinition definition = Workspace.pipeline(configuration, pipeline);
    List<String> partitions = Asked.windows(definition, labels);
    Slice filter = slice.filter(definition);
    try (Session session = workspace.openStanding(configuration)) {
      RegisteredPipeline registered = session.forWork(definition);
      session.bringUpToDate(registered, null);
      int changed = act.on(session, registered, partitions, filter);
      session.wake(pipeline);
      workspace
          .console()
          .result(
              new View(pipeline, partitions, changed),
              () ->
                  changed == 0
                      ? nothing
                      : changed + (changed == 1 ? " partition " : " partitions ") + done);
    }
    return ExitCode.DONE.code();
  }

  /** The result as JSON. */
  record View(String pipeline, List<String> partitions, int changed) {}
}
