package dev.tidemark.starter.session;

import dev.tidemark.worker.configuration.Configuration;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.pipeline.PipelineDefinition;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** How a command names one partition: its pipeline, its label and its whole slice. */
public final class OnePartition {
  @Parameters(paramLabel = "PIPELINE", index = "0", description = "The pipeline.")
  private String pipeline = "";

  @Parameters(paramLabel = "PARTITION", index = "1", description = "Its label.")
  private String label = "";

  @Mixin private final SliceOption slice = new SliceOption();

  public String pipeline() {
    return pipeline;
  }

  public String label() {
    return label;
  }

  /**
   * The definition of its pipeline.
   *
   * @throws CommandFailure if the configuration has none of that name
   */
  public PipelineDefinition definition(Configuration configuration) {
    return Workspace.pipeline(configuration, pipeline);
  }

  /**
   * Its window.
   *
   * @throws CommandFailure if the label is not one of the pipeline's grain
   */
  public Window window(PipelineDefinition definition) {
    return Asked.window(definition, "PARTITION", label);
  }

  /**
   * Its slice.
   *
   * @throws CommandFailure if a dimension is missing, or not the pipeline's
   */
  public Slice slice(PipelineDefinition definition) {
    return slice.whole(definition);
  }
}
