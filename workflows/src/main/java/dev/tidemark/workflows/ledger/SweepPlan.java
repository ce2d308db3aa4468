package dev.tidemark.workflows.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a sweep's plan: the expected set brought up to date, inputs observed.
 *
 * @param now the sweep's now: the one given, or the database's clock
 * @param closedThrough label of the newest closed window, null if none is
 * @param planned how many partitions are due and claimable now, at most {@code maxPartitions} + 1
 *     counted exactly
 * @param maxPartitions limits.partitions: this sweep's budget
 * @param maxDurationSeconds limits.duration
 * @param parallel limits.parallel
 * @param paused live work is paused
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record SweepPlan(
    @JsonProperty("now") Instant now,
    @JsonProperty("closed_through") @Nullable String closedThrough,
    @JsonProperty("planned") int planned,
    @JsonProperty("max_partitions") int maxPartitions,
    @JsonProperty("max_duration_seconds") long maxDurationSeconds,
    @JsonProperty("parallel") int parallel,
    @JsonProperty("paused") boolean paused) {}
