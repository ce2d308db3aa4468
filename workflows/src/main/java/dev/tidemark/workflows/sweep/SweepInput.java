package dev.tidemark.workflows.sweep;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The input of the workflow type {@code TidemarkSweep} (contracts, section 6). */
@JsonIgnoreProperties(ignoreUnknown = true)
public record SweepInput(
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("trigger") Trigger trigger,
    @JsonProperty("now") @Nullable Instant now) {}
