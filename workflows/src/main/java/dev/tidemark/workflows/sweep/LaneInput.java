package dev.tidemark.workflows.sweep;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidemark.workflows.ledger.Scope;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The input of a lane.
 *
 * @param now given by hand, or null for the database's clock
 * @param parallel the window until the first claim brings the pipeline's policy; at least 1
 * @param maxClaims partitions to claim at most
 * @param deadline no claim at or after this, in workflow time; null for none
 * @param sweep what the claims count as, for the limit per account; null for asked-for work
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record LaneInput(
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("scope") Scope scope,
    @JsonProperty("now") @Nullable Instant now,
    @JsonProperty("parallel") int parallel,
    @JsonProperty("max_claims") int maxClaims,
    @JsonProperty("deadline") @Nullable Instant deadline,
    @JsonProperty("sweep") @Nullable String sweep) {}
