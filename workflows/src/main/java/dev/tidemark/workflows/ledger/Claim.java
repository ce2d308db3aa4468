package dev.tidemark.workflows.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The exclusive, expiring right to work on one partition, as handed to its activity: ids, not data.
 *
 * @param claimId the claim request that took it
 * @param row the ledger row
 * @param slice canonical text, empty where there is none
 * @param byHand its logical time was given by hand: what it commits wakes nobody
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Claim(
    @JsonProperty("claim_id") String claimId,
    @JsonProperty("row") long row,
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("partition") String partition,
    @JsonProperty("slice") String slice,
    @JsonProperty("by_hand") @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean byHand) {

  /** A claim at the database's own time. */
  public Claim(String claimId, long row, String pipeline, String partition, String slice) {
    this(claimId, row, pipeline, partition, slice, false);
  }
}
