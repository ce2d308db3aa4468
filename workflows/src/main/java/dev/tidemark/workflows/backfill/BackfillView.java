package dev.tidemark.workflows.backfill;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A backfill and its progress. Counts commits, never starts.
 *
 * @param backfillId null only for a dry run
 * @param partitions how many its pinned list has
 * @param alreadyRequested how many of them somebody else's request or a running attempt already
 *     delivers
 * @param failed parked ones: they wait for a person
 * @param items only where asked for
 * @param error why it was rejected, else null
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record BackfillView(
    @JsonProperty("backfill_id") @Nullable String backfillId,
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("state") State state,
    @JsonProperty("partitions") int partitions,
    @JsonProperty("already_requested") int alreadyRequested,
    @JsonProperty("completed") int completed,
    @JsonProperty("failed") int failed,
    @JsonProperty("cancelled") int cancelled,
    @JsonProperty("error") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String error,
    @JsonProperty("items") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Item> items) {

  /** One partition of the pinned list. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Item(
      @JsonProperty("partition") String partition,
      @JsonProperty("slice") Map<String, String> slice) {}

  /** The states of a backfill. */
  public enum State {
    @JsonProperty("requested")
    REQUESTED,
    @JsonProperty("running")
    RUNNING,
    @JsonProperty("paused")
    PAUSED,
    @JsonProperty("completed")
    COMPLETED,
    @JsonProperty("failed")
    FAILED,
    @JsonProperty("cancelled")
    CANCELLED,
    @JsonProperty("rejected")
    REJECTED
  }
}
