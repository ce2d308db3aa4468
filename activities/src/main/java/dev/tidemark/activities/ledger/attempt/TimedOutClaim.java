package dev.tidemark.activities.ledger.attempt;

import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.ledger.PartitionOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/** The end of a claim that Temporal gave up: its attempts cannot settle it any more. */
final class TimedOutClaim {
  private TimedOutClaim() {}

  private static final Sql END =
      Sql.of(
          """
          with held as (
            select l.id, l.token, l.claim_attempt is not null and l.running_gen is not null as lost
              from tidemark.partition_ledger l
             where l.id = :row and l.claim_id = :claim
               for update),
          ended as (
            update tidemark.attempt a
               set ended_at = clock_timestamp(), outcome = 'lost', error = :error
              from held
             where held.lost and a.token = held.token and a.ended_at is null)
          update tidemark.partition_ledger l
             set claim_id = null, lease_until = null, claim_attempt = null,
                 lost = l.lost + held.lost::integer,
                 parked_at = case when l.lost + held.lost::integer >= 10
                                  then clock_timestamp() end,
                 last_error = case when held.lost then :error else l.last_error end
            from held
           where l.id = held.id
          returning l.parked_at is not null as parked
          """);

  static PartitionOutcome settle(Connection connection, Claim claim, String error)
      throws SQLException {
    Optional<Boolean> parked =
        END.on(connection)
            .set("row", claim.row())
            .set("claim", claim.claimId())
            .set("error", error)
            .first(row -> row.flag("parked"));
    if (parked.isEmpty()) {
      return ClaimEnd.of(connection, claim).outcome();
    }
    return parked.get()
        ? new PartitionOutcome(PartitionOutcome.Kind.PARKED, error)
        : ClaimEnd.released(error);
  }
}
