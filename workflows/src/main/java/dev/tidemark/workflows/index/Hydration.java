package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * Which of the processes that answer queries have a generation open.
 *
 * @param ready names of those that have
 * @param waiting of those that have not yet
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Hydration(
    @JsonProperty("ready") List<String> ready, @JsonProperty("waiting") List<String> waiting) {
  public Hydration {
    ready = List.copyOf(ready);
    waiting = List.copyOf(waiting);
  }
}
