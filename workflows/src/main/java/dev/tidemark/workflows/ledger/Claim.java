package dev.tidemark.workflows.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The exclusive, expiring right to work on one partition, as handed to its activity: ids, not data.
 *
 * @param claimId the claim request that took it
 * @param row the ledger row
 * @param slice canonical text, empty where there is none
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Claim(
    @JsonProperty("claim_id") String claimId,
    @JsonProperty("row") long row,
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("partition") String partition,
    @JsonProperty("slice") String slice) {}
