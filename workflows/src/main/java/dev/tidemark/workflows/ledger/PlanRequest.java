package dev.tidemark.workflows.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a sweep's plan.
 *
 * @param now given by hand, or null for the database's clock
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlanRequest(
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("scope") Scope scope,
    @JsonProperty("now") @Nullable Instant now) {}
