package dev.tidemark.activities.ledger.attempt;

import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** How a claim that is held no more, or by a later attempt, has ended. */
final class ClaimEnd {
  private ClaimEnd() {}

  private static final Sql RECORDED =
      Sql.of(
          """
          select a.outcome, a.error,
                 exists (select from tidemark.partition_ledger l
                          where l.id = :row and l.claim_id = :claim) as held
            from tidemark.attempt a
           where a.row_id = :row and a.claim_id = :claim
           order by a.token desc
           limit 1
          """);

  static Begin.Ended of(Connection connection, Claim claim) throws SQLException {
    return new Begin.Ended(
        RECORDED
            .on(connection)
            .set("row", claim.row())
            .set("claim", claim.claimId())
            .first(
                row ->
                    row.flag("held")
                        ? released("a later attempt of this claim has begun")
                        : outcome(row.textOrNull("outcome"), row.textOrNull("error")))
            .orElseGet(() -> released("the claim ended before it began")));
  }

  /** The outcome that an attempt's record means for its claim. */
  static PartitionOutcome outcome(@Nullable String recorded, @Nullable String error) {
    if (recorded == null) {
      return released("the claim ended; its attempt has not");
    }
    return switch (recorded) {
      case "committed" -> new PartitionOutcome(PartitionOutcome.Kind.COMMITTED, null);
      case "failed" -> new PartitionOutcome(PartitionOutcome.Kind.FAILED, error);
      case "parked" -> new PartitionOutcome(PartitionOutcome.Kind.PARKED, error);
      case "not_ready" -> new PartitionOutcome(PartitionOutcome.Kind.NOT_READY, error);
      default -> released("its attempt is " + recorded);
    };
  }

  static PartitionOutcome released(@Nullable String detail) {
    return new PartitionOutcome(PartitionOutcome.Kind.RELEASED, detail);
  }
}
