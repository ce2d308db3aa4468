package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline as registered in the ledger: what a partition is, when it closes, how late data is
 * noticed, and what to do for one partition.
 *
 * @param output null where the task itself owns what it makes
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PipelineDefinition(
    String name,
    Extent extent,
    List<InputSpec> inputs,
    Integration integration,
    Pace pace,
    TaskSpec task,
    @Nullable OutputSpec output) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

  public PipelineDefinition {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "pipeline name '" + name + "' must match " + NAME.pattern());
    }
    inputs = List.copyOf(inputs);
  }
}
