package dev.tidemark.activities.planning;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tidemark.activities.ledger.LedgerReader.AttemptView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a partition is due or not (contracts, section 1, explain).
 *
 * @param state as in the view; {@code never_attempted} where there is no row
 * @param due whether it would run now; the first reason decides
 * @param reasons every reason, never empty
 * @param freshness whether it is committed in time, and until when it has time
 * @param attempts newest first
 * @param dependents what reads it, one step down
 * @param notices what could not be found out; the answer goes by what was known before
 */
public record Explanation(
    @JsonProperty("pipeline") String pipeline,
    @JsonProperty("partition") String partition,
    @JsonProperty("slice") Map<String, String> slice,
    @JsonProperty("state") String state,
    @JsonProperty("due") boolean due,
    @JsonProperty("reasons") List<Because> reasons,
    @JsonProperty("freshness") Timeliness freshness,
    @JsonProperty("attempts") List<Attempt> attempts,
    @JsonProperty("dependents") @JsonInclude(JsonInclude.Include.NON_EMPTY)
        List<Dependent> dependents,
    @JsonProperty("notices") @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> notices) {
  public Explanation {
    reasons = List.copyOf(reasons);
    attempts = List.copyOf(attempts);
    dependents = List.copyOf(dependents);
    notices = List.copyOf(notices);
  }

  /**
   * One reason.
   *
   * @param code of the closed list
   * @param detail what is the matter, and what would make it run
   * @param since when that began, null where nobody can know
   */
  public record Because(
      @JsonProperty("code") String code,
      @JsonProperty("detail") String detail,
      @JsonProperty("since") @Nullable Instant since) {}

  /**
   * How fresh it is (c-M5).
   *
   * @param state stale where it was to be committed by now and is not, recovered where that was
   *     told and it is committed since, else fresh; unknown without a rule, before its window
   *     closes, and where it is not expected
   * @param deadline until when it is to be committed; null without a rule, and where it is not
   *     expected
   */
  public record Timeliness(
      @JsonProperty("state") String state, @JsonProperty("deadline") @Nullable Instant deadline) {}

  /** The same, with what reads it. */
  public Explanation readBy(List<Dependent> readers) {
    return new Explanation(
        pipeline, partition, slice, state, due, reasons, freshness, attempts, readers, notices);
  }

  /**
   * Partitions of another pipeline that read it, in each slice that agrees.
   *
   * @param first label of the first window
   * @param last label of the last window, inclusive
   * @param windows how many
   */
  public record Dependent(
      @JsonProperty("pipeline") String pipeline,
      @JsonProperty("first") String first,
      @JsonProperty("last") String last,
      @JsonProperty("windows") int windows) {}

  /** One attempt; null where it has not ended or nothing is known. */
  public record Attempt(
      @JsonProperty("token") long token,
      @JsonProperty("began_at") Instant beganAt,
      @JsonProperty("ended_at") @Nullable Instant endedAt,
      @JsonProperty("outcome") @Nullable String outcome,
      @JsonProperty("error") @Nullable String error,
      @JsonProperty("input_version") @Nullable String inputVersion,
      @JsonProperty("claimed_by") String claimedBy) {
    static Attempt of(AttemptView view) {
      return new Attempt(
          view.token(),
          view.beganAt(),
          view.endedAt(),
          view.outcome(),
          view.error(),
          view.inputVersion(),
          view.claimedBy());
    }
  }
}
