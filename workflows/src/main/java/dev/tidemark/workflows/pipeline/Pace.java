package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When, in which order and how much at once.
 *
 * @param freshness a closed window not committed this long after closure is a breach; null for no
 *     rule
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Pace(
    Wake sweep,
    Order order,
    CatchUp catchUp,
    Limits limits,
    Retry retry,
    @Nullable Duration freshness) {

  /** Which window goes first. */
  public enum Order {
    NEWEST_FIRST,
    OLDEST_FIRST
  }
}
