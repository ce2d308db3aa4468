package dev.tidemark.workflows.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * How a claim ended.
 *
 * @param detail for people, null where there is nothing to say
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PartitionOutcome(
    @JsonProperty("kind") Kind kind, @JsonProperty("detail") @Nullable String detail) {

  /** The ends of a claim. */
  public enum Kind {
    @JsonProperty("committed")
    COMMITTED,
    /** Failed for a while; it has a next attempt time. */
    @JsonProperty("failed")
    FAILED,
    /** Failed, and waits for a person or for new input. */
    @JsonProperty("parked")
    PARKED,
    /** The task said not ready (exit code 75): tried again later, nothing spent. */
    @JsonProperty("not_ready")
    NOT_READY,
    /** The claim was ended, released or taken over elsewhere; whoever holds the row settles it. */
    @JsonProperty("released")
    RELEASED
  }
}
