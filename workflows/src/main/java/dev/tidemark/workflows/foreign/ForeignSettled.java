package dev.tidemark.workflows.foreign;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt was settled: one of the two is there.
 *
 * @param outcome the claim has ended with it
 * @param retryInMillis the claim goes on: another attempt may begin after this pause
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ForeignSettled(
    @JsonProperty("outcome") @Nullable PartitionOutcome outcome,
    @JsonProperty("retry_in_millis") @Nullable Long retryInMillis) {}
