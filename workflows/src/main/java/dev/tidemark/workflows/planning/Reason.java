package dev.tidemark.workflows.planning;

import java.util.Locale;

/** Why a partition is due or not due: the whole, closed list (contracts, section 1). */
public enum Reason {
  MISSING(true),
  LATE(true),
  LOOKBACK(true),
  CHAIN(true),
  LOST_OUTPUT(true),
  STALE_DEFINITION(true),
  REQUESTED(true),
  RETRY(true),
  NOT_CLOSED(false),
  UP_TO_DATE(false),
  NO_INPUT(false),
  UPSTREAM_NOT_READY(false),
  WAITING_FOR_PREDECESSOR(false),
  WAITING_FOR_LATE(false),
  WAITING_FOR_RETRY(false),
  PARKED(false),
  EXCUSED(false),
  TOO_LATE(false),
  FROZEN(false),
  SKIPPED_BY_CATCH_UP(false),
  PAUSED(false),
  LIMIT_REACHED(false),
  ACCOUNT_LIMIT(false),
  BACKFILL_SHARE(false),
  RUNNING(false),
  NOT_EXPECTED(false),
  BEFORE_SINCE(false),
  BEFORE_START(false),
  AFTER_END(false),
  RETAINED_OUT(false),
  DEFINITION_ASK(false),
  UNKNOWN_SLICE(false);

  private final boolean due;

  Reason(boolean due) {
    this.due = due;
  }

  /** Whether a partition with this reason runs. */
  public boolean isDue() {
    return due;
  }

  /** The spelling in JSON, in the view and in messages. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
