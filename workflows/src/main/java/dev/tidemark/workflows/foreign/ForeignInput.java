package dev.tidemark.workflows.foreign;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the other side gets: the one argument of its activity or workflow. Part of the API
 * (docs/any-sdk.md); fields may be added.
 *
 * @param slice the slice's values by dimension; empty where the pipeline has none
 * @param zone of the pipeline, such as Europe/Istanbul
 * @param params of the backfill that asked for it
 * @param inputVersion that was read before the task; null where the pipeline has no inputs
 * @param token the attempt's fencing token: larger for each later attempt of this partition
 * @param attempt number of this attempt under its claim, from 1
 * @param output where its files go: an empty folder's path, or {@code s3://bucket/prefix/}; null
 *     where the pipeline has no output
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ForeignInput(
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("partition") String partition,
    @JsonProperty("slice") Map<String, String> slice,
    @JsonProperty("window_start") Instant windowStart,
    @JsonProperty("window_end") Instant windowEnd,
    @JsonProperty("zone") String zone,
    @JsonProperty("params") Map<String, String> params,
    @JsonProperty("input_version") @Nullable String inputVersion,
    @JsonProperty("token") long token,
    @JsonProperty("attempt") int attempt,
    @JsonProperty("output") @Nullable String output) {}
