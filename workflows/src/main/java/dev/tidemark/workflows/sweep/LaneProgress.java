package dev.tidemark.workflows.sweep;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * How far a lane is; at its end, its result.
 *
 * @param lane the lane's workflow id
 * @param completed commits
 * @param failed claims that ended failed; they have a next attempt time
 * @param parked claims that ended parked
 * @param notReady claims that ended with nothing done and nothing spent: not ready, or the store or
 *     a source could not be used
 * @param full the lane has claimed all it may, and drains on its own
 * @param oldest label of the oldest partition that it took and has not committed, null for none
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record LaneProgress(
    @JsonProperty("lane") String lane,
    @JsonProperty("claimed") int claimed,
    @JsonProperty("completed") int completed,
    @JsonProperty("failed") int failed,
    @JsonProperty("parked") int parked,
    @JsonProperty("not_ready") int notReady,
    @JsonProperty("full") boolean full,
    @JsonProperty("oldest") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String oldest) {

  /** One that has nothing open. */
  public LaneProgress(
      String lane, int claimed, int completed, int failed, int parked, int notReady, boolean full) {
    this(lane, claimed, completed, failed, parked, notReady, full, null);
  }

  static LaneProgress none(String lane) {
    return new LaneProgress(lane, 0, 0, 0, 0, 0, false);
  }

  /** Claims that have ended one way or another, but for those that somebody else settles. */
  int ends() {
    return completed + failed + parked;
  }

  /** Grows with every change, so that of two reports of one lane the later can be told. */
  int steps() {
    return claimed + ends() + notReady;
  }
}
