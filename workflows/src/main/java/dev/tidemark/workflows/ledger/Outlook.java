package dev.tidemark.workflows.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is left in a scope after a pass.
 *
 * @param claimable partitions that a claim would take now
 * @param live partitions under a live claim
 * @param waiting partitions that wait for a retry
 * @param openRequests unsettled items of active backfills, whatever holds them
 * @param wakeAt the earliest next_attempt_at or lease_until among them, null if nothing waits for a
 *     time
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Outlook(
    @JsonProperty("claimable") int claimable,
    @JsonProperty("live") int live,
    @JsonProperty("waiting") int waiting,
    @JsonProperty("open_requests") int openRequests,
    @JsonProperty("wake_at") @Nullable Instant wakeAt) {}
