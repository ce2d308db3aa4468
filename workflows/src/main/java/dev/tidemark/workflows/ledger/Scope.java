package dev.tidemark.workflows.ledger;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a claim may take. */
public enum Scope {
  /** Everything claimable: ticks, wake-ups, sweeps. */
  @JsonProperty("all")
  ALL,
  /** Only what people asked for: a backfill's own workflow. */
  @JsonProperty("requested")
  REQUESTED
}
