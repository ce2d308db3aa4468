package dev.tidemark.workflows.foreign;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidemark.workflows.pipeline.TaskSpec;
import org.jspecify.annotations.Nullable;

/**
 * What begin answers: either there is nothing to run, or there are a task and its input.
 *
 * @param attempt number of the attempt that began; the next one must have a larger number
 * @param settled how it was settled at once; null where the task is to run
 * @param task as registered when the attempt began, which may be newer than the claim
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ForeignStart(
    @JsonProperty("attempt") int attempt,
    @JsonProperty("settled") @Nullable ForeignSettled settled,
    @JsonProperty("task") TaskSpec.@Nullable Foreign task,
    @JsonProperty("input") @Nullable ForeignInput input) {

  /** It has ended already. */
  public static ForeignStart settled(int attempt, ForeignSettled settled) {
    return new ForeignStart(attempt, settled, null, null);
  }

  /** The task is to run. */
  public static ForeignStart run(TaskSpec.Foreign task, ForeignInput input) {
    return new ForeignStart(input.attempt(), null, task, input);
  }
}
