package dev.tidemark.workflows.ledger;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a sweep's plan, or what is left of it.
 *
 * @param now given by hand, or null for the database's clock
 * @param atMost what is claimable is counted up to here; null for as far as it is ever counted
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record PlanRequest(
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("scope") Scope scope,
    @JsonProperty("now") @Nullable Instant now,
    @JsonProperty("at_most") @Nullable Integer atMost) {

  public PlanRequest(String pipeline, Scope scope, @Nullable Instant now) {
    this(pipeline, scope, now, null);
  }

  /** The same, where only matters whether anything is claimable. */
  public PlanRequest forAny() {
    return new PlanRequest(pipeline, scope, now, 1);
  }
}
