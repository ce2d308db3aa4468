package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What became of a replacement that tried to take the place of the live index.
 *
 * @param switched whether queries are answered from it now
 * @param detail else, what it waits for
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record SwitchOutcome(
    @JsonProperty("switched") boolean switched, @JsonProperty("detail") String detail) {}
