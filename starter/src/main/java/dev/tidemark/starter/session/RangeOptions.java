package dev.tidemark.starter.session;

import dev.tidemark.workflows.pipeline.PipelineDefinition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --from} and {@code --to}: a range of partitions, both ends inclusive. */
public final class RangeOptions {
  @Option(names = "--from", paramLabel = "P", description = "The first partition.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "P", description = "The last partition, inclusive.")
  private @Nullable String to;

  /** The range, checked. */
  public Asked.Range range(PipelineDefinition definition) {
    return Asked.range(definition, from, to);
  }
}
