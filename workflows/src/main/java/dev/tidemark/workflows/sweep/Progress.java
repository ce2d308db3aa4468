package dev.tidemark.workflows.sweep;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;

/** How far a run is, from what its lanes reported; completed counts commits. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Progress(
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("state") String state,
    @JsonProperty("planned") int planned,
    @JsonProperty("claimed") int claimed,
    @JsonProperty("completed") int completed,
    @JsonProperty("failed") int failed) {}
