package dev.tidemark.workflows.sweep;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What one sweep did (contracts, section 1).
 *
 * @param planned due at its start
 * @param failed claims that ended failed or parked
 * @param remaining due and not done when it ended
 * @param paused the pipeline was paused, so that nothing was claimed
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record SweepReport(
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("now") @Nullable Instant now,
    @JsonProperty("planned") int planned,
    @JsonProperty("claimed") int claimed,
    @JsonProperty("completed") int completed,
    @JsonProperty("failed") int failed,
    @JsonProperty("remaining") int remaining,
    @JsonProperty("paused") boolean paused) {

  static SweepReport of(Progress done, @Nullable Instant now, int remaining, boolean paused) {
    return new SweepReport(
        done.pipeline(),
        now,
        done.planned(),
        done.claimed(),
        done.completed(),
        done.failed(),
        remaining,
        paused);
  }
}
