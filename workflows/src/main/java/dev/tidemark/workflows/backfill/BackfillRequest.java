package dev.tidemark.workflows.backfill;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a range of partitions (contracts, section 6). All but from and to may be null.
 *
 * @param requestId makes the request idempotent; null is a new one each time
 * @param from label of the first window
 * @param to label of the last, inclusive
 * @param slice dimensions that must be equal; null or empty for all slices
 * @param mode null is missing
 * @param order null is the pipeline's
 * @param parallel null is the pipeline's
 * @param params handed to the task
 * @param items exactly these of the range; null for all
 * @param now given by hand, for trials and tests; null is the database's clock
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record BackfillRequest(
    @JsonProperty("request_id") @Nullable String requestId,
    @JsonProperty("from") String from,
    @JsonProperty("to") String to,
    @JsonProperty("slice") @Nullable Map<String, String> slice,
    @JsonProperty("mode") @Nullable Mode mode,
    @JsonProperty("order") @Nullable Order order,
    @JsonProperty("parallel") @Nullable Integer parallel,
    @JsonProperty("reason") @Nullable String reason,
    @JsonProperty("params") @Nullable Map<String, String> params,
    @JsonProperty("requested_by") @Nullable String requestedBy,
    @JsonProperty("now") @Nullable Instant now,
    @JsonProperty("items") @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable List<BackfillView.Item> items) {
  /** As many may be named one by one; a range may have more. */
  public static final int MAX_ITEMS = 20_000;

  /** A label that JSON leaves out is empty here, and refused like any other that is none. */
  public BackfillRequest {
    from = Objects.requireNonNullElse(from, "");
    to = Objects.requireNonNullElse(to, "");
    items = items == null ? null : List.copyOf(items);
  }

  /** A request for all of a range. */
  public BackfillRequest(
      @Nullable String requestId,
      String from,
      String to,
      @Nullable Map<String, String> slice,
      @Nullable Mode mode,
      @Nullable Order order,
      @Nullable Integer parallel,
      @Nullable String reason,
      @Nullable Map<String, String> params,
      @Nullable String requestedBy,
      @Nullable Instant now) {
    this(requestId, from, to, slice, mode, order, parallel, reason, params, requestedBy, now, null);
  }

  /** The same request, for exactly these of its range. */
  public BackfillRequest only(List<BackfillView.Item> these) {
    return new BackfillRequest(
        requestId, from, to, slice, mode, order, parallel, reason, params, requestedBy, now, these);
  }

  /** This request, under {@code id} unless it has one of its own. */
  public BackfillRequest identifiedBy(String id) {
    return requestId != null
        ? this
        : new BackfillRequest(
            id, from, to, slice, mode, order, parallel, reason, params, requestedBy, now, items);
  }

  /** Which partitions of the range are asked for. */
  public enum Mode {
    /** Never attempted, failed and parked. */
    @JsonProperty("missing")
    MISSING,
    /** Failed and parked. */
    @JsonProperty("failed")
    FAILED,
    @JsonProperty("late")
    LATE,
    /** Made with an older definition. */
    @JsonProperty("stale")
    STALE,
    @JsonProperty("all")
    ALL
  }

  /** Which of its windows goes first. */
  public enum Order {
    @JsonProperty("oldest")
    OLDEST,
    @JsonProperty("newest")
    NEWEST
  }
}
