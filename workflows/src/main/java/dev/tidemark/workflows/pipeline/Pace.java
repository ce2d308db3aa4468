package dev.tidemark.workflows.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When, in which order and how much at once.
 *
 * @param freshness a closed window not committed this long after closure is a breach; null for no
 *     rule
 * @param accounts how accounts share it; null for the default, also in what was registered before
 *     there was one
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Pace(
    Wake sweep,
    Order order,
    CatchUp catchUp,
    Limits limits,
    Retry retry,
    @Nullable Duration freshness,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Accounts accounts) {

  /** With the default for accounts. */
  public Pace(
      Wake sweep,
      Order order,
      CatchUp catchUp,
      Limits limits,
      Retry retry,
      @Nullable Duration freshness) {
    this(sweep, order, catchUp, limits, retry, freshness, null);
  }

  /** How accounts share it. */
  public Accounts sharing() {
    return accounts == null ? Accounts.DEFAULT : accounts;
  }

  /** Which window goes first. */
  public enum Order {
    NEWEST_FIRST,
    OLDEST_FIRST
  }
}
