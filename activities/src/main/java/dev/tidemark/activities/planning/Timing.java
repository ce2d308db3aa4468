package dev.tidemark.activities.planning;

import dev.tidemark.activities.ledger.LedgerReader;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.activities.ledger.freshness.Freshness;
import dev.tidemark.activities.ledger.freshness.Punctuality;
import dev.tidemark.workflows.partition.Slice;
import dev.tidemark.workflows.partition.Window;
import dev.tidemark.workflows.planning.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Whether a partition is committed in time (c-M5). */
record Timing(LedgerReader reader, RegisteredPipeline pipeline, Window window, Slice slice) {

  /** Of what is not expected, nobody expects a time either. */
  private static final Set<Reason> OUTSIDE =
      Set.of(
          Reason.BEFORE_START,
          Reason.AFTER_END,
          Reason.BEFORE_SINCE,
          Reason.NOT_EXPECTED,
          Reason.UNKNOWN_SLICE,
          Reason.RETAINED_OUT,
          Reason.EXCUSED,
          Reason.SKIPPED_BY_CATCH_UP);

  /**
   * How fresh it is.
   *
   * @param atClock whether {@code now} is the database's, not one given by hand
   * @param reasons why it is due or not
   */
  Explanation.Timeliness at(Instant now, boolean atClock, List<Reason> reasons) {
    if (reasons.stream().anyMatch(OUTSIDE::contains)) {
      return new Explanation.Timeliness(Freshness.UNKNOWN.label(), null);
    }
    Punctuality known = reader.punctuality(pipeline, slice, window.label());
    Instant deadline = known.deadline(pipeline.definition(), window, atClock);
    Freshness state =
        reasons.contains(Reason.NOT_CLOSED) ? Freshness.UNKNOWN : known.at(now, deadline);
    return new Explanation.Timeliness(state.label(), deadline);
  }
}
