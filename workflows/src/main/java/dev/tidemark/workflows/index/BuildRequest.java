package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Asks whether an index has anything to take in, and for the build that does it.
 *
 * @param replacement of the index that is to replace the live one; false is the live one
 * @param asked a person asks: what failed for its data is tried again
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record BuildRequest(
    @JsonProperty("object_type") String objectType,
    @JsonProperty("replacement") boolean replacement,
    @JsonProperty("asked") boolean asked) {}
