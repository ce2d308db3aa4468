package dev.tidemark.workflows.foreign;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * How a task of another SDK failed.
 *
 * @param error for people, bounded
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ForeignFailure(@JsonProperty("kind") Kind kind, @JsonProperty("error") String error) {
  /** The type of an ApplicationFailure that parks the partition, as exit code 65 does. */
  public static final String BAD_DATA = "TidemarkBadData";

  /** The type of one that means "again later, nothing spent", as exit code 75 does. */
  public static final String NOT_READY = "TidemarkNotReady";

  /** What it means for the partition. */
  public enum Kind {
    /** Worth another attempt; spends a failure. */
    @JsonProperty("failed")
    FAILED,
    /** No other attempt can help: parked. */
    @JsonProperty("bad_data")
    BAD_DATA,
    /** Again later, nothing spent. */
    @JsonProperty("not_ready")
    NOT_READY,
    /** No worker took it from its task queue: again later, nothing spent. */
    @JsonProperty("no_worker")
    NO_WORKER,
    /** Its worker fell silent: a lost attempt, which spends no failure. */
    @JsonProperty("lost")
    LOST,
    /** It was cancelled, or its worker shut down: given back. */
    @JsonProperty("cancelled")
    CANCELLED
  }
}
