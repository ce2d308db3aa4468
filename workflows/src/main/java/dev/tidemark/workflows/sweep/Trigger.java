package dev.tidemark.workflows.sweep;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What started a sweep. */
public enum Trigger {
  @JsonProperty("schedule")
  SCHEDULE,
  @JsonProperty("cron")
  CRON,
  @JsonProperty("manual")
  MANUAL
}
