package dev.tidemark.activities.ledger;

import dev.tidemark.activities.ledger.database.Row;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What happened to one partition, for people; null where it did not happen.
 *
 * @param state as in the view
 * @param waitsFor what of an upstream it waits for
 * @param trouble what went wrong last
 * @param claim who works on it
 * @param request who asks for it
 */
public record PartitionStory(
    String state,
    Moments moments,
    @Nullable String excuse,
    @Nullable String waitsFor,
    Trouble trouble,
    Claim claim,
    Request request) {

  /** When things happened, on the database's clock. */
  public record Moments(
      @Nullable Instant inputSeen,
      @Nullable Instant committed,
      @Nullable Instant excused,
      @Nullable Instant skipped,
      @Nullable Instant outputLost,
      @Nullable Instant paused) {}

  /**
   * What went wrong last.
   *
   * @param retried when a person had it tried again, if that is still to come
   */
  public record Trouble(
      int failedClaims,
      @Nullable String lastError,
      @Nullable Instant parked,
      @Nullable Instant nextAttempt,
      @Nullable Instant retried) {}

  /** Who works on it, and until when without another sign of life. */
  public record Claim(@Nullable String claimedBy, @Nullable Instant leaseUntil) {}

  /** The newest active backfill that asks for it. */
  public record Request(
      @Nullable String backfillId,
      @Nullable Instant requestedAt,
      @Nullable String requestedBy,
      @Nullable String reason) {}

  static PartitionStory of(Row row) throws SQLException {
    return new PartitionStory(
        row.text("state"),
        new Moments(
            row.instantOrNull("input_seen_at"),
            row.instantOrNull("committed_at"),
            row.instantOrNull("excused_at"),
            row.instantOrNull("skipped_at"),
            row.instantOrNull("output_lost_at"),
            row.instantOrNull("paused_at")),
        row.textOrNull("excuse"),
        row.textOrNull("upstream_hold"),
        new Trouble(
            row.integer("failed_claims"),
            row.textOrNull("last_error"),
            row.instantOrNull("parked_at"),
            row.instantOrNull("next_attempt_at"),
            row.instantOrNull("retried_at")),
        new Claim(row.textOrNull("claimed_by"), row.instantOrNull("lease_until")),
        new Request(
            row.textOrNull("backfill_id"),
            row.instantOrNull("requested_at"),
            row.textOrNull("requested_by"),
            row.textOrNull("reason")));
  }
}
