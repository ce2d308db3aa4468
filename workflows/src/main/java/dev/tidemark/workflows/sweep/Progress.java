package dev.tidemark.workflows.sweep;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * How far a run is, from what its lanes reported; completed counts commits.
 *
 * @param oldest label of the oldest partition that they took and have not committed, null for none
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Progress(
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("state") String state,
    @JsonProperty("planned") int planned,
    @JsonProperty("claimed") int claimed,
    @JsonProperty("completed") int completed,
    @JsonProperty("failed") int failed,
    @JsonProperty("oldest") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String oldest) {

  /** One that has nothing open. */
  public Progress(
      String pipeline, String state, int planned, int claimed, int completed, int failed) {
    this(pipeline, state, planned, claimed, completed, failed, null);
  }
}
