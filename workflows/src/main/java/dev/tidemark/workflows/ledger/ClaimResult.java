package dev.tidemark.workflows.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/** What a claim request got, and how to run it. */
@JsonIgnoreProperties(ignoreUnknown = true)
public record ClaimResult(
    @JsonProperty("claims") List<Claim> claims, @JsonProperty("policy") LanePolicy policy) {
  public ClaimResult {
    claims = List.copyOf(claims);
  }

  /**
   * How a lane runs its partitions; read anew with each claim, so that a change applies at once.
   *
   * @param parallel the width of the window
   * @param taskTimeoutSeconds the longest that one attempt's task may take
   * @param attempts failing attempts within one claim
   * @param backoffMillis the pause before the second attempt, doubling
   * @param maxBackoffMillis the longest pause between attempts
   * @param foreign the task is run by another SDK
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record LanePolicy(
      @JsonProperty("parallel") int parallel,
      @JsonProperty("task_timeout_seconds") long taskTimeoutSeconds,
      @JsonProperty("attempts") int attempts,
      @JsonProperty("backoff_millis") long backoffMillis,
      @JsonProperty("max_backoff_millis") long maxBackoffMillis,
      @JsonProperty("foreign") @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean foreign) {}
}
