package dev.tidemark.workflows.index;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;

/**
 * Which of the processes that answer queries have a generation open.
 *
 * @param ready names of those that have
 * @param waiting of those that have not yet
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Hydration(List<String> ready, List<String> waiting) {
  public Hydration {
    ready = List.copyOf(ready);
    waiting = List.copyOf(waiting);
  }
}
