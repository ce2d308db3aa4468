package dev.tidemark.workflows.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Asks for partitions to work on. Sent twice, it returns the rows still held by it.
 *
 * @param requestId unique to this request; the same in a retry of it
 * @param now given by hand, or null for the database's clock
 * @param want the most to take: never more than can start now
 * @param sweep the sweep that it belongs to, for the limit per account; null for asked-for work,
 *     which that limit does not bound
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ClaimRequest(
    @JsonProperty("request_id") String requestId,
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("scope") Scope scope,
    @JsonProperty("now") @Nullable Instant now,
    @JsonProperty("want") int want,
    @JsonProperty("sweep") @Nullable String sweep) {}
