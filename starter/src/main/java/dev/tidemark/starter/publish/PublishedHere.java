package dev.tidemark.starter.publish;

import dev.tidemark.starter.session.CommandFailure;
import dev.tidemark.workflows.pipeline.PipelineDefinition;

/** What the commands about outputs have in common. */
final class PublishedHere {
  private PublishedHere() {}

  /** Refuses a pipeline without an output of Tidemark's. */
  static void require(PipelineDefinition definition) {
    if (definition.output() == null) {
      throw CommandFailure.usage(
          "PIPELINE",
          "pipeline '"
              + definition.name()
              + "' has no output: its task owns what it makes, and Tidemark knows nothing of it");
    }
  }
}
