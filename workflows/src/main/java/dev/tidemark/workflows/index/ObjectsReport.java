package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
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
    String objectType,
    int builds,
    int failed,
    long generation,
    boolean switched,
    @Nullable Integer replacement,
    @Nullable String detail) {}
