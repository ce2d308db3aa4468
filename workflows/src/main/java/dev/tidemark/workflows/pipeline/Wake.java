package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Duration;

/** What wakes a pipeline: only a wake-up, never a plan; a missed or doubled one is harmless. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Wake.Every.class, name = "every"),
  @JsonSubTypes.Type(value = Wake.Cron.class, name = "cron")
})
public sealed interface Wake {

  /** A Temporal Schedule with this interval. */
  record Every(Duration interval) implements Wake {
    public Every {
      if (interval.compareTo(Duration.ofSeconds(1)) < 0) {
        throw new IllegalArgumentException("sweep every must be at least 1s: " + interval);
      }
    }
  }

  /** A Temporal cron workflow, where the configuration says so. */
  record Cron(String expression) implements Wake {}
}
