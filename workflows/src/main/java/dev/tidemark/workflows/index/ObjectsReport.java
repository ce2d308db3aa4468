package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * What a run has done.
 *
 * @param builds that succeeded
 * @param failed builds that did not
 * @param generation the newest that it made; 0 if it made none
 * @param switched whether the replacement has become the live index
 * @param replacement revision of one that is being built meanwhile; null while there is none
 * @param detail why the run ended where something is left to do; else null
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ObjectsReport(
    @JsonProperty("object_type") String objectType,
    @JsonProperty("builds") int builds,
    @JsonProperty("failed") int failed,
    @JsonProperty("generation") long generation,
    @JsonProperty("switched") boolean switched,
    @JsonProperty("replacement") @Nullable Integer replacement,
    @JsonProperty("detail") @Nullable String detail) {}
