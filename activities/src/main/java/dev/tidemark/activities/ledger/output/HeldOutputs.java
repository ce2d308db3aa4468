package dev.tidemark.activities.ledger.output;

import dev.tidemark.activities.ledger.database.Database;
import dev.tidemark.activities.ledger.database.Sql;
import dev.tidemark.activities.ledger.definition.Lags;
import dev.tidemark.activities.ledger.definition.RegisteredPipeline;
import dev.tidemark.workflows.ledger.Claim;
import dev.tidemark.workflows.partition.Window;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Claims single rows for work on their outputs that is not the task's: writing a marker back,
 * adopting. As long as it is held, no attempt begins; where its holder dies, the lease ends.
 */
public final class HeldOutputs {
  private final Database database;

  public HeldOutputs(DataSource dataSource) {
    this.database = new Database(dataSource);
  }

  private static final Sql TAKE =
      Sql.of(
          """
          update tidemark.partition_ledger l
             set claim_id = :claim, claim_class = 'live', claim_reason = :reason,
                 claim_sweep = null, claim_now = :now, claim_closed = :closed, claim_lag = :lag,
                 claim_attempt = null, claimed_by = null,
                 lease_until = clock_timestamp() + interval '90 seconds'
           where l.id = :id and l.xmin::text = :version and l.claim_id is null
          """);

  /**
   * Claims the row, to begin an attempt of it.
   *
   * @param closed the newest closed window
   * @return empty if it was written to since it was read, or is claimed
   */
  public Optional<Claim> take(
      RegisteredPipeline pipeline, OutputRow row, Instant now, Window closed, String reason) {
    Claim claim =
        new Claim(
            reason + "/" + UUID.randomUUID(),
            row.id(),
            pipeline.name(),
            row.window().label(),
            row.slice().canonical());
    var definition = pipeline.definition();
    int taken =
        database.roundTrip(
            connection ->
                TAKE.on(connection)
                    .set("claim", claim.claimId())
                    .set("reason", reason)
                    .set("now", now)
                    .set("closed", closed.start())
                    .set(
                        "lag",
                        new Lags(definition.extent().partitions(), closed).of(row.window().start()))
                    .set("id", row.id())
                    .set("version", row.version())
                    .update());
    return taken == 1 ? Optional.of(claim) : Optional.empty();
  }

  // What an attempt recorded to publish after that commit may have removed parts of it.
  private static final Sql TAKE_COMMITTED =
      Sql.of(
          """
          update tidemark.partition_ledger l
             set claim_id = :claim, claim_class = 'live', claim_reason = 'lost_output',
                 claim_attempt = null, claimed_by = null,
                 lease_until = clock_timestamp() + interval '90 seconds'
            from tidemark.attempt a
           where l.id = :id and l.xmin::text = :version and l.claim_id is null
             and a.row_id = l.id and a.token = l.committed_token and a.intent is not null
             and not exists (
                   select from tidemark.attempt later
                    where later.row_id = l.id and later.token > a.token
                      and later.intent is not null)
          returning a.intent::text as intent
          """);

  /** A row held as it was committed, and what its attempt recorded to publish, as JSON. */
  public record Held(long row, String claim, String intent) {}

  /**
   * Claims the row if what its last commit was about to publish is known, and nothing was about to
   * be published after it.
   */
  public Optional<Held> takeCommitted(OutputRow row) {
    String claim = "verification/" + UUID.randomUUID();
    return database.roundTrip(
        connection ->
            TAKE_COMMITTED
                .on(connection)
                .set("claim", claim)
                .set("id", row.id())
                .set("version", row.version())
                .first(found -> new Held(row.id(), claim, found.text("intent"))));
  }

  private static final Sql RENEW =
      Sql.of(
          """
          update tidemark.partition_ledger
             set lease_until = clock_timestamp() + interval '90 seconds'
           where id = :id and claim_id = :claim
          """);

  /** Whether the claim is still held; its lease begins anew then. */
  public boolean renew(Held held) {
    int renewed =
        database.roundTrip(
            connection ->
                RENEW.on(connection).set("id", held.row()).set("claim", held.claim()).update());
    return renewed == 1;
  }

  private static final Sql RELEASE =
      Sql.of(
          """
          update tidemark.partition_ledger
             set claim_id = null, lease_until = null, claim_attempt = null,
                 output_lost_at = case when :lost::boolean is null then output_lost_at
                                       when :lost then coalesce(output_lost_at, clock_timestamp())
                                  end
           where id = :id and claim_id = :claim
          """);

  /**
   * Gives the claim back.
   *
   * @param lost whether the output is lost; null where nothing was found out
   */
  public void release(Held held, @Nullable Boolean lost) {
    database.roundTrip(
        connection ->
            RELEASE
                .on(connection)
                .set("id", held.row())
                .set("claim", held.claim())
                .set("lost", lost)
                .update());
  }
}
