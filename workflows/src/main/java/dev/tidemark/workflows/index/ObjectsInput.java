package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What a run keeps up to date.
 *
 * @param replacement the index that is to replace the live one, until it has; false is the live one
 * @param asked a person asks, and waits: what failed for its data is tried again
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ObjectsInput(
    @JsonProperty("object_type") String objectType,
    @JsonProperty("replacement") boolean replacement,
    @JsonProperty("asked") boolean asked) {
  BuildRequest request() {
    return new BuildRequest(objectType, replacement, asked);
  }
}
